"""Addresses of the pages around the matches, of tables and of matches."""

from django.urls import path

from games.views import (
    affairs,
    feeds,
    history,
    home,
    mails,
    matches,
    share,
    tables,
    talk,
    vacations,
)

urlpatterns = [
    path("", home.landing, name="home"),
    path("play/<slug:slug>/", home.play, name="play"),
    path("language/", home.language, name="language"),
    path("rules/", home.rules_index, name="rules"),
    path("rules/<slug:slug>/", home.rules, name="rules_of"),
    # tables
    path("lobby/", tables.lobby, name="lobby"),
    path("new/", tables.new_match_game, name="new_match"),
    path("new/<slug:slug>/", tables.new_match, name="new_match_of"),
    path("matches/<int:match_id>/seats/", tables.table_seats, name="table_seats"),
    path("matches/<int:match_id>/join/", tables.join, name="match_join"),
    path("matches/<int:match_id>/leave/", tables.leave, name="match_leave"),
    path("matches/<int:match_id>/start/", tables.start, name="match_start"),
    path("matches/<int:match_id>/cancel/", tables.cancel, name="match_cancel"),
    # mails and feeds
    path("mail/t/<str:text>/", mails.ticket, name="mail_ticket"),
    path("mail/test/", mails.test_mail, name="test_mail"),
    path("mail/revive/", mails.revive, name="mail_revive"),
    path("feeds/reset/", mails.new_feeds, name="feeds_reset"),
    path("feeds/<str:key>/deadlines.ics", feeds.calendar, name="feed_calendar"),
    path("feeds/<str:key>/deadlines.atom", feeds.atom, name="feed_atom"),
    path("feeds/<str:key>/deadlines.json", feeds.listing, name="feed_json"),
    path("matches/<int:match_id>/mute/", mails.mute, name="match_mute"),
    path("vacation/", vacations.vacation, name="vacation"),
    path("vacation/<int:vacation_id>/end/", vacations.vacation_end, name="vacation_end"),
    # matches
    path("matches/", home.my_matches, name="my_matches"),
    path("matches/next/", matches.next_match, name="next_match"),
    path("matches/<int:match_id>/", matches.match_page, name="match"),
    path("matches/<int:match_id>/move/", matches.play, name="match_play"),
    path("matches/<int:match_id>/undo/", matches.undo, name="match_undo"),
    path("matches/<int:match_id>/restart/", matches.restart, name="match_restart"),
    path("matches/<int:match_id>/resign/", matches.resign, name="match_resign"),
    path("matches/<int:match_id>/rematch/", matches.rematch, name="match_rematch"),
    path("matches/<int:match_id>/affair/", affairs.affair, name="match_affair"),
    path("matches/<int:match_id>/take/", affairs.take, name="match_take"),
    path("matches/<int:match_id>/others/", matches.others, name="match_others"),
    path("matches/<int:match_id>/replay/", history.replay, name="match_replay"),
    path("matches/<int:match_id>/picture.png", share.picture, name="match_picture"),
    path("matches/<int:match_id>/record.txt", share.record, name="match_record"),
    path("matches/<int:match_id>/chat/", talk.chat, name="match_chat"),
    path("matches/<int:match_id>/note/", talk.note, name="match_note"),
    path("matches/<int:match_id>/check/", history.check, name="match_check"),
]
