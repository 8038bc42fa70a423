/**
 * Members: who they are and how they prove it. Accounts, sessions, passwords and second factors, verification,
 * customer service, and the end of an account with what is kept of it. It owns the tables of logins, codes, factors,
 * verifications and service.
 *
 * Read `accounts/members.ts`, which puts login and registration together, then `accounts/sessions.ts`,
 * `secondFactor/factorCore.ts` (the staff's factors are the same code) and `ownData/ownData.ts`.
 */
export { accountMatches, isOpenAccount } from './accounts/account.ts'
export { breachedPasswordsFile, newPasswordRule, passwordDigest } from './accounts/breachedPasswords.ts'
export { deviceName } from './accounts/deviceName.ts'
export { createIssuedCodes, type IssuedCodes } from './accounts/issuedCodes.ts'
export {
  createKnownDevices,
  type DeviceOwner,
  type KnownDevices,
  knownDeviceTtlMs,
} from './accounts/knownDevices.ts'
export { createLoginAttempts } from './accounts/loginAttempts.ts'
export { createLoginHistory } from './accounts/loginHistory.ts'
export { createMembers } from './accounts/members.ts'
export { shownOpeningCode } from './accounts/openingCode.ts'
export { createPasswordRecovery } from './accounts/passwordRecovery.ts'
export { createPasswordRequests, type PasswordRequests } from './accounts/passwordRequests.ts'
export { createPasswords, type Passwords } from './accounts/passwords.ts'
export type { Phones } from './accounts/phone.ts'
export { readSecurityChanges } from './accounts/securityChanges.ts'
export { createSessions, type Sessions } from './accounts/sessions.ts'
export { readSharedDevices } from './accounts/sharedDevices.ts'
export type { Users } from './accounts/user.ts'
export { createWorkChallenges } from './accounts/workChallenges.ts'
export { createOwnData } from './ownData/ownData.ts'
export { factorTables } from './schema.ts'
export { createFactorCore, type FactorCore, forgetFactors, viewPasskey } from './secondFactor/factorCore.ts'
export { createSecondFactors } from './secondFactor/secondFactor.ts'
export { createMemberNotes, type MemberNotes } from './service/notes.ts'
export { createService, type Service } from './service/service.ts'
export { createVerifications, type Verifications } from './verification/verification.ts'
