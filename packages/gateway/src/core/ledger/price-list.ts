/** The price list, half a megabyte of code: a file of its own, so that what needs it can load it when it does. */
export { calcPrice } from "@pydantic/genai-prices";
