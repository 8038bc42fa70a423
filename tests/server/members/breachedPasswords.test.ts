import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { commonPasswordsFile, makeLists } from '../../../scripts/breachedPasswords.ts'
import {
  breachedPasswordsFile,
  isBreached,
  newPasswordRule,
} from '../../../server/members/breachedPasswords.ts'
import { loginPassword } from '../../support/testMembers.ts'

describe('breached passwords', () => {
  it('are the hundred thousand of the list, and the words of the strength meter its first ten thousand', () => {
    const { digests, words } = makeLists()
    expect(digests.equals(readFileSync(breachedPasswordsFile))).toBe(true)
    expect(digests.length).toBe(100_000 * 5)
    expect(words).toBe(readFileSync(commonPasswordsFile, 'utf8'))
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
