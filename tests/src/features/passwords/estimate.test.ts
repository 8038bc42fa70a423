import { describe, expect, it } from 'vitest'
import { estimate } from '../../../../src/features/passwords/estimate.ts'

describe('the strength of a password', () => {
  it.each([
    ['spongebob', 1, 'common'],
    ['p4ssword', 0, 'similar'],
    ['qazwsxedc', 0, 'common'],
    ['aaaaaaaaaaaab', 1, 'repeated'],
    ['abcdefghijkl', 0, 'sequence'],
    ['18.06.1987', 1, 'date'],
    ['lin_wei88', 0, 'personal'],
  ] as const)('%s: score %i, %s', (text, score, advice) => {
    expect(estimate(text, ['lin_wei88', '13800138000'])).toMatchObject({ score, advice })
  })

  it('rises with unrelated words, which need no advice', () => {
    const { score, advice, guesses } = estimate('correct horse battery staple', [])
    expect([score, advice]).toEqual([4, undefined])
    expect(guesses).toBeGreaterThan(1e10)
  })
})
