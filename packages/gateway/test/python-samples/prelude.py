"""What the samples of the pages take for granted, and a look at whatever client they make."""

import os

import anthropic
import openai
from google import genai as google_genai

made = []


class OpenAI(openai.OpenAI):
    def __init__(self, *args, **named):
        super().__init__(*args, **named)
        made.append(self)


class Anthropic(anthropic.Anthropic):
    def __init__(self, *args, **named):
        super().__init__(*args, **named)
        made.append(self)


class genai:
    class Client(google_genai.Client):
        def __init__(self, *args, **named):
            super().__init__(*args, **named)
            made.append(self)


client = OpenAI(base_url=os.environ["GATEWAY"] + "/v1", api_key=os.environ["KEY"])
exec(compile(os.environ["SAMPLE"], os.environ["PAGE"], "exec"))
for each in made:
    assert list(each.models.list()), f"{type(each).__name__} sees no model"
if "batch" in globals():
    assert client.batches.retrieve(batch.id).id == batch.id
if "video" in globals():
    assert client.videos.retrieve(video.id).id == video.id
