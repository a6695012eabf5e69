"""A plugin of pytest for the SDKs' own tests, which are run as they are.

It gives their client the key of OWN_TESTS_KEY (theirs has spaces), no retries and a time limit, leaves out the tests of the
asynchronous client, which repeat the others, and writes a line for each test to OWN_TESTS_RESULTS.
"""

import functools
import json
import os
import sys

import pytest

TIMEOUT = 15
"""Seconds for one request."""


def pytest_collection_modifyitems(config, items):
    kept = [item for item in items if "async_client" not in item.fixturenames]
    config.hook.pytest_deselected(items=[item for item in items if "async_client" in item.fixturenames])
    items[:] = kept
    conftest = sys.modules["tests.conftest"]
    name = os.environ["OWN_TESTS_CLIENT"]
    client = getattr(conftest, name)
    conftest.api_key = conftest.admin_api_key = os.environ["OWN_TESTS_KEY"]
    setattr(conftest, name, functools.partial(client, max_retries=0, timeout=TIMEOUT))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call" or not report.passed:
        fault = "" if call.excinfo is None else f"{call.excinfo.typename}: {call.excinfo.value}"
        outcome = {"name": item.nodeid, "outcome": report.outcome, "fault": fault[:400]}
        with open(os.environ["OWN_TESTS_RESULTS"], "a", encoding="utf-8") as file:
            file.write(json.dumps(outcome) + "\n")
    return report
