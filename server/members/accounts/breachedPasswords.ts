import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FieldCode } from '../../../contract/errors.ts'
import { normalPassword, passwordRule, type OwnWords } from '../../../contract/rules.ts'
import { projectRoot } from '../../platform/paths.ts'

/**
 * The digests of the 100,000 most common passwords of breaches, sorted, one after the other; made by
 * `scripts/breachedPasswords.ts`.
 */
export const breachedPasswordsFile = join(projectRoot, 'server/members/accounts/breachedPasswords.bin')
/** 40 bits: one of ten million other passwords has the digest of a listed one. */
export const digestBytes = 5

/** Upper and lower case are the same: a list is tried in both. */
export const passwordDigest = (password: string): Buffer =>
  createHash('sha256').update(password.toLowerCase()).digest().subarray(0, digestBytes)

/** The build has a copy: a machine that runs it needs no sources. */
export const breachedPasswordsCopy = 'breachedPasswords.bin'

let digests: Buffer | undefined

function readDigests(): Buffer {
  const copy = join(projectRoot, 'dist/server', breachedPasswordsCopy)
  return readFileSync(existsSync(copy) ? copy : breachedPasswordsFile)
}

/** Whether the password is one of the 100,000 most common ones of breaches with 8 characters or more. */
export function isBreached(password: string): boolean {
  digests ??= readDigests()
  const wanted = passwordDigest(password)
  let low = 0
  let high = digests.length / digestBytes
  while (low < high) {
    const middle = (low + high) >>> 1
    const order = wanted.compare(digests, middle * digestBytes, (middle + 1) * digestBytes)
    if (order === 0) return true
    if (order < 0) high = middle
    else low = middle + 1
  }
  return false
}

/** The rule of a new login password: the form's rule, and no password of a breach. */
export const newPasswordRule = (text: string, own: OwnWords): FieldCode | undefined =>
  passwordRule(text, own) ?? (isBreached(normalPassword(text)) ? 'PASSWORD_BREACHED' : undefined)
