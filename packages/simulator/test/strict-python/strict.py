"""Calls a server with the official Python clients, strict response validation switched on.

Every answer and every event of a stream must fit the clients' own types. Works against the simulator and against
anything in front of it, such as a gateway.
"""

import argparse
import sys
import traceback

import anthropic
import openai

import checks_anthropic
import checks_openai


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--openai-base-url", help="such as http://127.0.0.1:4010/openai/v1"
    )
    parser.add_argument(
        "--anthropic-base-url",
        help="such as http://127.0.0.1:4010/anthropic (without /v1)",
    )
    parser.add_argument("--key", default="any", help="API key for both")
    parser.add_argument(
        "--model", default="gpt-4o", help="model of the OpenAI operations"
    )
    parser.add_argument(
        "--anthropic-model", help="model of the Anthropic operations, else --model"
    )
    parser.add_argument(
        "--only", default="", help="names of checks, separated by commas"
    )
    options = parser.parse_args()
    only = {name for name in options.only.split(",") if name}
    strict = {
        "api_key": options.key,
        "max_retries": 0,
        "_strict_response_validation": True,
    }
    passed = failed = 0
    for module, client, model in clients(options, strict):
        for check in module.CHECKS:
            if only and check.__name__ not in only:
                continue
            name = f"{module.__name__.removeprefix('checks_')} {check.__name__}"
            try:
                check(client, model)
            except Exception as error:
                failed += 1
                print(f"FAIL {name}\n{describe(error)}")
            else:
                passed += 1
                print(f"ok   {name}")
    print(
        f"{passed} passed, {failed} failed (openai {openai.__version__}, anthropic {anthropic.__version__})"
    )
    return 1 if failed or not passed else 0


def describe(error):
    # A mismatch lists every type of a union that did not fit; its beginning says enough.
    detail = (
        f"{type(error.__cause__).__name__}: {error.__cause__}"[:1500]
        if error.__cause__
        else ""
    )
    return (
        "".join(
            traceback.format_exception(
                type(error), error, error.__traceback__, chain=False
            )
        )
        + detail
    )


def clients(options, strict):
    if options.openai_base_url:
        yield checks_openai, openai.OpenAI(
            base_url=options.openai_base_url, **strict
        ), options.model
    if options.anthropic_base_url:
        model = options.anthropic_model or options.model
        yield checks_anthropic, anthropic.Anthropic(
            base_url=options.anthropic_base_url, **strict
        ), model


if __name__ == "__main__":
    sys.exit(main())
