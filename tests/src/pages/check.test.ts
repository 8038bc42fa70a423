import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { minor, priceUnits } from '../../../contract/units.ts'
import { genesis, linkHash } from '../../../contract/chain.ts'
import { languages } from '../../../contract/constants.ts'
import { formatMoney, moneyOf } from '../../../contract/money.ts'
import { refundReasons } from '../../../contract/orders.ts'
import { parsePrice } from '../../../contract/price.ts'
import { settle } from '../../../contract/settle.ts'
import { parseMarkdown } from '../../../src/markdown/blocks.ts'
import { proofFile } from '../../../src/proof/proofFile.ts'
import { sampleProof } from '../../support/sampleProof.ts'

const folder = new URL('../../../src/pages/check/texts/', import.meta.url)
const shortFolder = new URL('../../../src/pages/check/short/', import.meta.url)
const textIn = (language: string): string => readFileSync(new URL(`${language}.md`, folder), 'utf8')
const codes = (source: string): string[] =>
  parseMarkdown(source).flatMap((block) => (block.kind === 'code' ? [block.text] : []))
const english = textIn('en')

describe('the short text of the page "How to check a result"', () => {
  it('exists in every supported language and in no other', () => {
    expect(readdirSync(shortFolder).toSorted()).toEqual(languages.map((code) => `${code}.md`).toSorted())
  })

  it.each(languages)('%s: has an introduction, seven points and what to do next', (language) => {
    const blocks = parseMarkdown(readFileSync(new URL(`${language}.md`, shortFolder), 'utf8'))
    expect(
      blocks.map((block) => (block.kind === 'list' ? [block.kind, block.items.length] : block.kind)),
    ).toEqual(['paragraph', ['list', 7], 'paragraph'])
  })
})

describe('the rules on the page "How to check a result"', () => {
  it('exists in every supported language and in no other', () => {
    expect(readdirSync(folder).toSorted()).toEqual(languages.map((code) => `${code}.md`).toSorted())
  })

  it.each(languages)('%s: has the same blocks, formulas and names as the English text', (language) => {
    const source = textIn(language)
    const shape = (text: string) =>
      parseMarkdown(text).map((block) =>
        block.kind === 'list' ? [block.kind, block.items.length] : block.kind,
      )
    expect(shape(source)).toEqual(shape(english))
    expect(codes(source)).toEqual(codes(english))
    const names = (text: string) => new Set([...text.matchAll(/`([A-Za-z_]+)`/g)].map(([, name]) => name))
    const missing = [...names(english)].filter(
      (name) => !names(source).has(name) && !source.includes(String(name)),
    )
    expect(missing).toEqual([])
  })

  it('gives the formula of each chain version', () => {
    const values = ['price', 'size', 'sourceId', 'sourceAt']
    const hashed = codes(english).map((code) => values.filter((value) => code.includes(`+ ${value}`)))
    expect(hashed).toContainEqual(values.slice(0, 2))
    expect(hashed).toContainEqual(values)
  })

  it('lists every refund reason in the order in which they apply', () => {
    const listedReasons = [...english.matchAll(/^- `([A-Z_]+)`:/gm)].map(([, name]) => name)
    expect(listedReasons).toEqual(refundReasons)
  })

  it('describes every field of the proof file', () => {
    const proof = { ...sampleProof(), logEnd: 1 }
    const file = proofFile({ proof, heads: [], agreed: null, savedAt: 1 })
    const undescribed = new Set(['final', 'savedAt'])
    const missing = Object.keys(file).filter(
      (name) => !undescribed.has(name) && !english.includes(`\`${name}\``),
    )
    expect(missing).toEqual([])
  })

  it('has an example that matches the contract', () => {
    const example = codes(english).at(-1) ?? ''
    const lines = example.split('\n')
    const first = lines.indexOf('hash(0)')
    let { hash } = genesis('EXAMPLE')
    expect(lines[first + 1]).toBe(hash)
    const ticks = []
    for (let i = first + 2; i < lines.length; i += 2) {
      const tick = JSON.parse(lines[i] ?? '') as [number, number, string, string]
      hash = linkHash(hash, 'EXAMPLE', tick)
      expect(lines[i + 1]).toBe(hash)
      ticks.push({ seq: tick[0], at: tick[1], price: parsePrice(tick[2], 2) ?? priceUnits(0) })
    }
    const numberOf = (name: string): number => Number(new RegExp(`${name} (\\d+)`).exec(example)?.[1])
    const terms = {
      rule: 'R1' as const,
      priceDecimals: 2,
      rateBp: numberOf('rateBp'),
      entryTimeoutMs: numberOf('entryTimeoutMs'),
      maxTickGapMs: numberOf('maxTickGapMs'),
      source: 's',
    }
    const order = {
      direction: 'up' as const,
      amount: moneyOf('10.00'),
      acceptedAt: numberOf('acceptedAt'),
      closeAt: numberOf('closeAt'),
    }
    const settled = settle(terms, order, ticks, [], [{ sinceAt: 0, fingerprint: 's' }])
    expect(settled).toMatchObject({ status: 'won', entry: { seq: 2 }, exit: { seq: 3 } })
    expect(formatMoney(minor(settled.payout))).toBe('18.50')
  })
})

describe('proofFile', () => {
  it('contains the format, the rule with its terms, the chain, and the heads seen live with their times', () => {
    const proof = sampleProof()
    const head = { seq: 3, hash: 'a'.repeat(64), watermark: 9, seenAt: 10, from: 'order' as const }
    const file = proofFile({ proof, heads: [head], agreed: null, savedAt: 7 })
    expect(file).toMatchObject({
      format: 'uptick-order-proof',
      version: 1,
      savedAt: 7,
      rule: { name: 'R1', terms: proof.order.terms },
      order: proof.order,
      ticks: proof.ticks,
      heads: [{ seq: 3, hash: head.hash, watermarkAt: 9, seenAt: 10, from: 'order' }],
    })
    expect(file.chain.next).toContain('hash(seq-1)')
    expect(JSON.parse(JSON.stringify(file))).toEqual(file)
  })
})
