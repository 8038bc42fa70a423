import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs as graphs } from '@zxcvbn-ts/language-common'
import common from './common.txt?raw'

const advices = {
  common: 'common',
  topTen: 'common',
  topHundred: 'common',
  similarToCommon: 'similar',
  straightRow: 'keyboard',
  keyPattern: 'keyboard',
  simpleRepeat: 'repeated',
  extendedRepeat: 'repeated',
  sequences: 'sequence',
  recentYears: 'date',
  dates: 'date',
  userInputs: 'personal',
} as const
const isAdvised = (warning: string | null): warning is keyof typeof advices =>
  warning !== null && warning in advices

/** Why a password is easy to guess. */
export type Advice = (typeof advices)[keyof typeof advices]
export type Strength = {
  /** From 0, found within 1000 tries, to 4, not found within 10,000,000,000. */
  score: 0 | 1 | 2 | 3 | 4
  guesses: number
  advice: Advice | undefined
}

const zxcvbn = new ZxcvbnFactory({ dictionary: { passwords: common.trim().split('\n') }, graphs })

/** How many tries find the password; `own` are words that an attacker who knows the member tries first. */
export function estimate(password: string, own: string[]): Strength {
  const { score, guesses, feedback } = zxcvbn.check(password, own)
  return { score, guesses, advice: isAdvised(feedback.warning) ? advices[feedback.warning] : undefined }
}
