import { core, get, post, remove } from './http';
import type { Schemas, User } from './types';

const factors = `${core}/users/factors`;

export type OwnFactors = Schemas['OwnFactors'];
export type OwnFactor = OwnFactors['factors'][number];
export type NewTotp = Schemas['NewTOTP'];
/** Recovery codes, shown once; null if the account keeps those it has. */
type Recovery = Schemas['RecoveryCodes'];
/** What a sign-in needs after its password; the browser names its ceremony's options. */
export type SecondStep = Omit<Schemas['SecondStep'], 'passkey'> & { passkey: { publicKey: PublicKeyCredentialRequestOptionsJSON } | null };

export type Proof = { code: string } | { recovery: string } | { passkey: object };

export const readFactors = (signal?: AbortSignal) => get<OwnFactors>(factors, signal);

export const beginTotp = () => post<NewTotp>(`${factors}/totp`);

export const confirmTotp = (code: string) => post<Recovery>(`${factors}/totp/confirm`, { code });

export const beginPasskey = () => post<{ publicKey: PublicKeyCredentialCreationOptionsJSON }>(`${factors}/passkeys/options`);

export const addPasskey = (name: string, passkey: object) => post<Recovery>(`${factors}/passkeys`, { name, passkey });

export const newRecovery = () => post<Recovery>(`${factors}/recovery`);

export const removeFactor = (id: string) => remove<void>(`${factors}/${id}`);

export const signInByFactor = (token: string, proof: Proof) => post<{ user: User }>(`${core}/users/sign-in/factor`, { token, ...proof });
