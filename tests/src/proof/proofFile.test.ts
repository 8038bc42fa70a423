import { describe, expect, it } from 'vitest'
import { proofFile } from '../../../src/proof/proofFile.ts'
import { sampleProof } from '../../support/sampleProof.ts'

describe('the exported proof', () => {
  it('names the version of the chain by which its ticks are hashed', () => {
    const proof = sampleProof()
    const versionOf = (ticks: (typeof proof)['ticks']): number =>
      proofFile({ proof: { ...proof, ticks }, heads: [], agreed: null, savedAt: 0 }).chain.version
    expect(versionOf(proof.ticks)).toBe(1)
    expect(
      versionOf(proof.ticks.map(([seq, at, price, size]) => [seq, at, price, size, String(seq), at])),
    ).toBe(2)
  })
})
