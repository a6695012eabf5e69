import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type FlattenedJWSInput,
  type JWTHeaderParameters,
  type JWTPayload,
  jwtVerify,
} from "jose";
import type { TokenIssuer } from "../../../platform/config/read/read-tokens.ts";
import type { IssuerKeys } from "./issuer-keys.ts";

/** Signatures with a pair of keys alone: nobody who knows a public key can make one (RFC 8725, sections 2.1 and 3.1). */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** What a token may say that it is; others, such as logout tokens, are no credentials (RFC 8725, section 3.11). */
const TYPES = ["jwt", "at+jwt", "application/at+jwt", "application/jwt"];

/** Keys that are tried for a token that names none. */
const MAX_TRIED = 5;

/** Why a token is refused; the message is for the caller and has nothing of the token. */
export class TokenProblem extends Error {}

/** An issuer with its keys. */
export interface KnownIssuer {
  readonly issuer: TokenIssuer;
  readonly keys: IssuerKeys;
}

/** A token that holds. */
export interface VerifiedToken {
  readonly claims: JWTPayload;
  readonly issuer: TokenIssuer;
}

/**
 * Checks signature, issuer, audience and times of a token.
 * @param issuers those that are accepted
 * @param skew seconds by which clocks may differ
 * @throws TokenProblem
 */
export async function verifyToken(
  token: string,
  issuers: readonly KnownIssuer[],
  skew: number,
): Promise<VerifiedToken> {
  const known = issuerOf(token, issuers);
  const { issuer } = known;
  const options = {
    algorithms: ALGORITHMS,
    clockTolerance: skew,
    requiredClaims: ["exp"],
    ...(issuer.issuer === undefined ? {} : { issuer: issuer.issuer }),
    ...(issuer.audience === undefined ? {} : { audience: [...issuer.audience] }),
  };
  const claims = await jwtVerify(
    token,
    (header: JWTHeaderParameters, jws: FlattenedJWSInput) => known.keys.find(header, jws),
    options,
  )
    .catch((error: unknown) => tryEach(token, error, options))
    .then(({ payload }) => payload, refuse);
  if (claims.iat !== undefined && !(claims.iat <= Date.now() / 1000 + skew))
    throw new TokenProblem("The token is not valid yet");
  return { claims, issuer };
}

/** The issuer that an unverified token names. Its keys then show whether that is true. */
function issuerOf(token: string, issuers: readonly KnownIssuer[]): KnownIssuer {
  const { alg, typ, iss } = readUnverified(token);
  if (!ALGORITHMS.includes(String(alg)))
    throw new TokenProblem("The token is not signed by an algorithm with a public key");
  if (typ !== undefined && !TYPES.includes(String(typ).toLowerCase()))
    throw new TokenProblem("The token is of another type");
  const found =
    issuers.find(({ issuer }) => issuer.issuer === iss && iss !== undefined) ??
    issuers.find(({ issuer }) => issuer.issuer === undefined);
  if (found === undefined) throw new TokenProblem("The token comes from an unknown issuer");
  return found;
}

function readUnverified(token: string): { alg: unknown; typ: unknown; iss: unknown } {
  try {
    const { alg, typ } = decodeProtectedHeader(token);
    return { alg, typ, iss: decodeJwt(token).iss };
  } catch {
    throw new TokenProblem("The token is malformed");
  }
}

/** A token without the id of its key, where several could be it. */
async function tryEach(token: string, error: unknown, options: Parameters<typeof jwtVerify>[2]) {
  if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
  let tried = 0;
  for await (const key of error) {
    if (++tried > MAX_TRIED) break;
    try {
      return await jwtVerify(token, key, options);
    } catch (each) {
      if (!(each instanceof errors.JWSSignatureVerificationFailed)) throw each;
    }
  }
  throw new errors.JWSSignatureVerificationFailed();
}

/** jose's errors in our words; what they quote of the token stays behind. */
function refuse(error: unknown): never {
  if (error instanceof errors.JWTExpired) throw new TokenProblem("The token has expired");
  if (error instanceof errors.JWTClaimValidationFailed) throw new TokenProblem(problemOf(error));
  if (error instanceof errors.JWKSNoMatchingKey)
    throw new TokenProblem("The token is signed by a key that its issuer does not have");
  if (error instanceof errors.JWSSignatureVerificationFailed)
    throw new TokenProblem("The token's signature is wrong");
  if (error instanceof errors.JOSEError || error instanceof TypeError)
    throw new TokenProblem("The token is malformed");
  throw new TokenProblem("The keys of the token's issuer are not known at the moment");
}

function problemOf({ claim, reason }: errors.JWTClaimValidationFailed): string {
  if (claim === "aud") return "The token is for another audience";
  if (claim === "iss") return "The token comes from an unknown issuer";
  if (claim === "nbf" && reason === "check_failed") return "The token is not valid yet";
  if (claim === "exp" && reason === "missing") return "The token has no end (exp)";
  return "The token is malformed";
}
