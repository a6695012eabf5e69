import type { Dispatcher } from "undici";
import type { CallHandler } from "./h1/call-handler.ts";
import { endToEnd } from "./headers.ts";

/** A call as undici's dispatcher wants it. */
export function undiciHandler(call: CallHandler): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller) => call.onRequestStart(controller),
    onResponseStart: (controller, status, headers) => {
      // Interim answers, such as 103, come before the answer itself.
      if (status >= 200) call.onResponseStart(controller, status, endToEnd(headers));
    },
    onResponseData: (controller, chunk) => call.onResponseData(controller, chunk),
    onResponseEnd: (controller) => call.onResponseEnd(controller),
    onResponseError: (controller, error) => call.onResponseError(controller, error),
  };
}
