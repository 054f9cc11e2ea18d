import { api } from "./api";
import type { SignedIn } from "./protocol";

/** Whether this browser can make passkeys and read what the server sends for that. */
export function knowsPasskeys(): boolean {
  return typeof PublicKeyCredential === "function" && "parseCreationOptionsFromJSON" in PublicKeyCredential;
}

/** Whether the person did not want to, or the browser gave up: nothing needs to be said then. */
export function isCancelled(failure: unknown): boolean {
  return failure instanceof DOMException && (failure.name === "NotAllowedError" || failure.name === "AbortError");
}

function text(credential: Credential | null): string {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException("", "NotAllowedError");
  return JSON.stringify(credential.toJSON());
}

/** Make a passkey; a guest has a profile then. */
export async function makePasskey(): Promise<void> {
  const { options } = await api.passkeyOptions();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    JSON.parse(options) as PublicKeyCredentialCreationOptionsJSON,
  );
  await api.addPasskey(text(await navigator.credentials.create({ publicKey })));
}

/** Sign in with one of the passkeys that this browser can reach. */
export async function usePasskey(): Promise<SignedIn> {
  const { options } = await api.signInOptions();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    JSON.parse(options) as PublicKeyCredentialRequestOptionsJSON,
  );
  return await api.signIn(text(await navigator.credentials.get({ publicKey })));
}
