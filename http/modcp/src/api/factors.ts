import { core, get, post, remove } from './http';
import type { User } from './types';

const factors = `${core}/users/factors`;

export interface OwnFactor {
  id: string;
  kind: 'totp' | 'passkey';
  /** Null for an authenticator app. */
  name: string | null;
  createdAt: string;
  lastUsedAt: string | null;
}

export interface OwnFactors {
  factors: OwnFactor[];
  recoveryLeft: number;
  /** Passkeys can be added at this address. */
  passkeys: boolean;
  /** This account must have a factor. */
  required: boolean;
}

export interface NewTotp {
  secret: string;
  uri: string;
  /** A data URI. */
  qr: string;
}

/** Recovery codes, shown once; null if the account keeps those it has. */
interface Recovery {
  recovery: string[] | null;
}

/** What a sign-in needs after its password. */
export interface SecondStep {
  token: string;
  kinds: ('passkey' | 'totp' | 'recovery')[];
  /** The options of the browser's ceremony. */
  passkey: { publicKey: PublicKeyCredentialRequestOptionsJSON } | null;
  expiresAt: string;
}

export type Proof = { code: string } | { recovery: string } | { passkey: object };

export const readFactors = (signal?: AbortSignal) => get<OwnFactors>(factors, signal);

export const beginTotp = () => post<NewTotp>(`${factors}/totp`);

export const confirmTotp = (code: string) => post<Recovery>(`${factors}/totp/confirm`, { code });

export const beginPasskey = () => post<{ publicKey: PublicKeyCredentialCreationOptionsJSON }>(`${factors}/passkeys/options`);

export const addPasskey = (name: string, passkey: object) => post<Recovery>(`${factors}/passkeys`, { name, passkey });

export const newRecovery = () => post<Recovery>(`${factors}/recovery`);

export const removeFactor = (id: string) => remove<void>(`${factors}/${id}`);

export const signInByFactor = (token: string, proof: Proof) => post<{ user: User }>(`${core}/users/sign-in/factor`, { token, ...proof });
