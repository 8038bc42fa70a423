import { expect, it } from 'vitest'
import { Turnover } from '../../../streams/replay/turnover.ts'

it('a turnover is exact beyond what a number holds', () => {
  const turnover = new Turnover()
  let sum = 0n
  for (const [price, size] of [
    ...Array.from({ length: 5 }, (_, i) => [4_297_021 + i, 1_999_999_999] as const),
    [3, Number.MAX_SAFE_INTEGER] as const,
    [7, 11] as const,
  ]) {
    turnover.add(price, size)
    sum += BigInt(price) * BigInt(size)
    expect(turnover.sum).toBe(sum)
  }
})
