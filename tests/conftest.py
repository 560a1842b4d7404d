"""Fixtures for all tests: people, real Redis, a real browser; and the rule that a skip says why.

With `REQUIRE_SERVICES=1` (as in CI) a skipped test fails the run. `SKIPS_FILE` collects the
reasons of several runs, so that `make test` can print them together at its end.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from django.conf import settings
from django.core.cache import cache
from django.utils import timezone, translation

from accounts.models import User
from config import messages
from tests import services
from tests.site.people import person

PHONE = {"width": 390, "height": 844}
WAITS = 30_000  # milliseconds: on a busy machine a page comes late, and is right all the same


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # once, not in every xdist worker
        messages.compile_all()


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if skipped and os.environ.get("REQUIRE_SERVICES"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    if skipped and (target := os.environ.get("SKIPS_FILE")):
        with Path(target).open("a") as file:
            file.writelines(f"{report.nodeid}: {report.longrepr[2]}\n" for report in skipped)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("TEST_DB") == "postgres":
        return
    for item in items:
        if item.get_closest_marker("services"):
            item.add_marker(pytest.mark.skip(reason="needs PostgreSQL: run with TEST_DB=postgres"))


@pytest.fixture(autouse=True)
def _no_memory_of_other_tests() -> Iterator[None]:
    """A test finds nothing counted, kept or spoken by the one before it, in whatever order."""
    cache.clear()
    with translation.override(settings.LANGUAGE_CODE):
        yield
    timezone.deactivate()


def missing(reason: str) -> NoReturn:
    """Skip the test for want of a service, or fail where services are required."""
    if os.environ.get("REQUIRE_SERVICES"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


# --- people whom many tests meet -------------------------------------------------------------


@pytest.fixture
def anna() -> User:
    return person("Anna")


@pytest.fixture
def bob() -> User:
    return person("Bob")


@pytest.fixture
def cleo() -> User:
    return person("Cleo")


# --- what runs beside the tests --------------------------------------------------------------


@pytest.fixture(scope="session")
def redis_url() -> str:
    """The address of a private Redis (or Valkey), started on first use."""
    server = services.start_redis()
    return server.address or missing(server.note)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A running Chromium, driven by Playwright."""
    browser = services.find_browser()
    if browser.address is None:
        missing(browser.note)
    from playwright.sync_api import Error, expect, sync_playwright

    expect.set_options(timeout=WAITS)
    try:
        playwright = sync_playwright().start()
        chromium = playwright.chromium.launch(
            executable_path=browser.address, args=["--disable-dev-shm-usage"]
        )
    except (Error, OSError) as error:
        # For example libatomic.so.1 missing for the driver, or a library for the browser.
        missing(f"the browser does not start: {str(error)[:200]}")
    yield chromium
    chromium.close()
    playwright.stop()


@pytest.fixture
def new_page(chromium: Any, live_server: Any) -> Iterator[Callable[..., Any]]:
    """A function that opens a page on the live site in a browser context of its own.

    Options are Playwright's: `new_page(viewport={"width": 1280, "height": 800}, locale="nl")`.
    """
    contexts = []

    def open_page(**options: Any) -> Any:
        context = chromium.new_context(
            **({"base_url": live_server.url, "viewport": PHONE} | options)
        )
        contexts.append(context)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def page(new_page: Callable[..., Any]) -> Any:
    """One page of the size of a phone."""
    return new_page()
