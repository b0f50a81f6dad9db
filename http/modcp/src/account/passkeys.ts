/** The ceremonies of WebAuthn, between the JSON of the server and the bytes of the browser. */

const bytes = (text: string) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

const text = (buffer: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

const described = (list: PublicKeyCredentialDescriptorJSON[] | undefined) =>
  list?.map((one) => ({ id: bytes(one.id), type: 'public-key' as const, transports: one.transports as AuthenticatorTransport[] | undefined }));

/** Reports whether this browser makes passkeys on this page. */
export const hasPasskeys = () => window.isSecureContext && 'PublicKeyCredential' in window;

/** Makes a passkey. Rejects with a DOMException if the person cancels. */
export async function makePasskey({ publicKey }: { publicKey: PublicKeyCredentialCreationOptionsJSON }): Promise<object> {
  const credential = (await navigator.credentials.create({
    publicKey: {
      ...publicKey,
      challenge: bytes(publicKey.challenge),
      user: { ...publicKey.user, id: bytes(publicKey.user.id) },
      excludeCredentials: described(publicKey.excludeCredentials),
    } as PublicKeyCredentialCreationOptions,
  })) as PublicKeyCredential;
  const response = credential.response as AuthenticatorAttestationResponse;
  return answer(credential, { attestationObject: text(response.attestationObject), transports: response.getTransports?.() ?? [] });
}

/** Proves a passkey. Rejects with a DOMException if the person cancels. */
export async function provePasskey({ publicKey }: { publicKey: PublicKeyCredentialRequestOptionsJSON }): Promise<object> {
  const credential = (await navigator.credentials.get({
    publicKey: { ...publicKey, challenge: bytes(publicKey.challenge), allowCredentials: described(publicKey.allowCredentials) } as PublicKeyCredentialRequestOptions,
  })) as PublicKeyCredential;
  const response = credential.response as AuthenticatorAssertionResponse;
  return answer(credential, {
    authenticatorData: text(response.authenticatorData),
    signature: text(response.signature),
    ...(response.userHandle === null ? {} : { userHandle: text(response.userHandle) }),
  });
}

function answer(credential: PublicKeyCredential, response: object): object {
  return {
    id: credential.id,
    rawId: text(credential.rawId),
    type: credential.type,
    clientExtensionResults: {},
    response: { clientDataJSON: text(credential.response.clientDataJSON), ...response },
  };
}
