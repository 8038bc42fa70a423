import { describe, expect, it } from 'vitest'
import {
  amountDecimals,
  amountMax,
  appVersion,
  defaultLanguage,
  languages,
  levels,
  networkTimeoutMs,
  pageDelayMs,
  pageTimeoutMs,
  resourceTimeoutMs,
} from '../../contract/constants.ts'
import { reviewStatuses } from '../../contract/reviews.ts'
import { verificationStatuses } from '../../contract/verification.ts'
import en from '../../locales/en.json' with { type: 'json' }

/** All texts of the pack. */
const texts: string[] = []
const collectTexts = (value: unknown): void => {
  if (typeof value === 'string') texts.push(value)
  else for (const part of Object.values(value as object)) collectTexts(part)
}
collectTexts(en)

describe('texts that the specification states in English', () => {
  it.each([
    'Empty Value',
    'Passwords do not match',
    'Transaction passwords do not match',
    'not yet bound',
    'Please enter another amount',
    'Please upload ID photo',
    'Under Maintenance',
    'Registration Successful',
    'Verification data submitted, please wait for review',
    'Under Verification',
    'Verification Successful',
    'Under Review',
    'Successful',
    'Failed',
    'Opening Time',
    'account-opening code copied successfully',
    'Are you sure you want to log out?',
    'You must log in again after clearing the cache, continue?',
    'Modify',
  ])('%s', (words) => {
    const matches = texts.filter((text) => text === words || text.startsWith(`${words}.`))
    expect(matches).not.toEqual([])
  })

  it('messages for blank fields name the field', () => {
    const messages = texts.filter((text) => text.startsWith('Please enter '))
    expect(messages.length).toBeGreaterThanOrEqual(4)
  })
})

it('the business constants are those of the specification', () => {
  expect({ networkTimeoutMs, pageTimeoutMs, pageDelayMs, resourceTimeoutMs }).toEqual({
    networkTimeoutMs: 60_000,
    pageTimeoutMs: 60_000,
    pageDelayMs: 200,
    resourceTimeoutMs: 120_000,
  })
  expect([amountMax, amountDecimals, appVersion]).toEqual([99_999_900, 2, '1.0.0'])
  expect([languages.length, defaultLanguage]).toEqual([10, 'zh-CN'])
  expect(levels.map(({ key }) => key)).toEqual(['general', 'intermediate', 'advanced', 'gold', 'diamond'])
  expect([en.me.level.general, en.me.level.advanced]).toEqual(['General', 'Premium'])
})

it('the states are those of the specification', () => {
  expect(reviewStatuses).toEqual(['under_review', 'successful', 'failed'])
  expect(verificationStatuses).toEqual(['none', 'under_review', 'verified', 'rejected'])
  expect(Object.keys(en.wallet.status)).toEqual(['under_review', 'successful', 'failed'])
})
