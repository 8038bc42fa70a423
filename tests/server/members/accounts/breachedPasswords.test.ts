import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import commonPasswords from '../../../../src/features/passwords/common.txt?raw'
import {
  breachedPasswordsFile,
  isBreached,
  newPasswordRule,
} from '../../../../server/members/accounts/breachedPasswords.ts'
import { loginPassword } from '../../../support/testMembers.ts'

describe('breached passwords', () => {
  it('are a hundred thousand digests in order, and the strength meter knows ten thousand words', () => {
    const digests = readFileSync(breachedPasswordsFile)
    expect(digests.length).toBe(100_000 * 5)
    const each = Array.from({ length: 100_000 }, (_, i) => digests.subarray(5 * i, 5 * i + 5))
    expect(each.every((digest, i) => i === 0 || (each[i - 1]?.compare(digest) ?? 1) < 0)).toBe(true)
    expect(new Set(commonPasswords.trimEnd().split('\n')).size).toBe(10_000)
  })

  it.each(['spongebob', 'SpongeBob', 'a123456789', 'tromboni'])('%s is one', (text) => {
    expect(isBreached(text)).toBe(true)
    expect(newPasswordRule(text, {})).toBe('PASSWORD_BREACHED')
  })

  it.each([
    loginPassword,
    'correct horse',
    'correct horse 7 battery',
    'Canary password 1',
    '一二三四五六七八',
    '',
  ])('%s is none', (text) => expect(isBreached(text)).toBe(false))

  it('are reported as weak if the form says so too', () => {
    expect(newPasswordRule('password1', {})).toBe('PASSWORD_WEAK')
  })
})
