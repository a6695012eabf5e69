"""What the checks of the Python clients share: tools, prompts, and how a behaviour's outcome is told."""

import json
import os
import sys
import traceback
import urllib.request

from pydantic import BaseModel, Field

URL = os.environ["GATEWAY_URL"]
KEY = os.environ["GATEWAY_KEY"]
MODEL = os.environ["GATEWAY_MODEL"]
WAY = sys.argv[1]

ASK = "hello"
ANSWER = "echo: hello"
# The simulator calls all tools, and after their results what the clock's result asks for.
ASK_TOOLS = "kumquat? [[sim:parallel]]"
ASK_CITY = "a city"
ASK_429 = "[[sim:fault status=429;message=slow down]]"

CITY = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}

calls = []


class City(BaseModel):
    """A city."""

    city: str = Field(description="its name")


def weather(city: str) -> str:
    """Tells the weather in a city."""
    calls.append("weather")
    return "sunny"


def clock(city: str) -> str:
    """Tells the time in a city."""
    calls.append("clock")
    return "noon [[sim:tool weather]]"


TOOLS = {"weather": weather, "clock": clock}


def check_loop(text):
    """The second round called the weather alone, and its result is in the answer."""
    assert sorted(calls) == ["clock", "weather", "weather"], f"called {calls}, said {text!r}"
    assert "sunny" in text, text


def check_429(ask, *types):
    """The error reaches the program as its client's own, with the status and a message."""
    try:
        answer = ask()
    except Exception as error:
        assert not types or isinstance(error, types), f"{type(error).__name__}: {error}"
        assert "slow down" in str(error) or "429" in str(error), f"{type(error).__name__}: {error}"
    else:
        raise AssertionError(f"no error, but {answer!r}")


def fail_once():
    """Lets the provider's next answer be a 429."""
    rule = {"method": "POST", "path": os.environ["SIMULATOR_PATH"], "fault": "status=429;retry-after=1", "times": 1}
    request = urllib.request.Request(
        os.environ["SIMULATOR_URL"] + "/_admin/faults",
        data=json.dumps(rule).encode(),
        headers={"content-type": "application/json"},
    )
    urllib.request.urlopen(request).read()


def run(**checks):
    """Tries each behaviour that the client has and prints a line of JSON for it."""
    for behaviour, check in checks.items():
        calls.clear()
        try:
            check()
            fault = None
        except Exception as failure:
            traceback.print_exc()
            fault = f"{type(failure).__name__}: {failure}"
        print("CELL " + json.dumps({"behaviour": behaviour, "fault": fault}), flush=True)
