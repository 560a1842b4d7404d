"""The account pages of our own; they stand before allauth's, which have the same names."""

from django.urls import path

from accounts import views

urlpatterns = [
    path("signup/", views.signup, name="account_signup"),
    path("login/", views.login, name="account_login"),
    path("settings/", views.preferences, name="account_settings"),
]
