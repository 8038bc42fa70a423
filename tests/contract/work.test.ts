import { scryptSync } from 'node:crypto'
import { expect, it } from 'vitest'
import { solveWork, workKey } from '../../contract/solveWork.ts'
import { workOf, type Work } from '../../contract/work.ts'

const salt = 'a0b1c2d3e4f5061728394a5b6c7d8e9f'
const shape = { salt, cost: 64, blockSize: 8 }

it('a key is the scrypt key of the decimal digits of a number', () => {
  const options = { N: 64, r: 8, p: 1 }
  expect(workKey(shape, 11)).toBe(scryptSync('11', Buffer.from(salt, 'hex'), 32, options).toString('hex'))
})

it('the answer is the half of the key that the challenge does not show', () => {
  const work = {
    ...shape,
    id: 'w-1',
    expiresAt: 9e12 as Work['expiresAt'],
    algorithm: 'scrypt' as const,
    target: workKey(shape, 11).slice(0, 32),
    tries: 12,
  }
  expect(solveWork(work)).toEqual({ id: 'w-1', key: workKey(shape, 11).slice(32) })
  expect(solveWork({ ...work, tries: 11 })).toBeNull()
  expect(workOf({ work })).toEqual(work)
})

it.each([
  ['none', undefined],
  ['too much memory', { cost: 2 ** 20 }],
  ['too many tries', { tries: 10_000_000 }],
  ['another algorithm', { algorithm: 'sha256' }],
  ['a target of another length', { target: '00' }],
])('a client does no work of a kind that it does not know: %s', (_what, change) => {
  const work = { ...shape, id: 'w', expiresAt: 1, algorithm: 'scrypt', target: salt, tries: 16 }
  expect(workOf(change === undefined ? {} : { work: { ...work, ...change } })).toBeUndefined()
})
