"""The account pages of our own; they stand before allauth's, which have the same names."""

from django.urls import path

from accounts import programs, views

urlpatterns = [
    path("signup/", views.signup, name="account_signup"),
    path("login/", views.login, name="account_login"),
    path("2fa/authenticate/", views.authenticate, name="mfa_authenticate"),
    path("2fa/webauthn/login/", views.login_webauthn, name="mfa_login_webauthn"),
    path("programs/", programs.programs, name="account_programs"),
    path("programs/<int:key_id>/revoke/", programs.revoke, name="account_program_revoke"),
    path("settings/", views.preferences, name="account_settings"),
    path("settings/<slug:section>/", views.preferences, name="account_settings_of"),
]
