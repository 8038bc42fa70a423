// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from 'vitest'
import { epochMs } from '../../../../contract/brand.ts'
import { changeLanguage, startI18n } from '../../../../src/i18n.ts'
import { Proof } from '../../../../src/pages/order/proof/Proof.tsx'
import { checkProof } from '../../../../src/proof/check.ts'
import type { LogCheck } from '../../../../src/proof/log.ts'
import type { CompleteProof } from '../../../../src/proof/completeProof.ts'
import type { AgreedTerms } from '../../../../src/state/agreedTerms.ts'
import { sampleProof } from '../../../support/sampleProof.ts'
import { mount, one } from '../../ui/mount.tsx'

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})

/** What this device stores of an order that it receives. */
function agreedTermsOf({ order }: CompleteProof): AgreedTerms {
  const { productId, direction, amount, seconds, rateBp, terms, acceptedAt, closeAt } = order
  return { productId, direction, amount, seconds, rateBp, terms, acceptedAt, closeAt }
}

const logged: LogCheck = { ok: true, held: true, at: 1_031_000, index: 1204, witnesses: ['w.test', 'x.test'] }

/** Shows a proof, checked against the terms that this device has stored. */
async function show(proof: CompleteProof, agreed: AgreedTerms | null, log: LogCheck = logged) {
  const checked = await checkProof(proof, { agreed, heads: [] }, () => Promise.resolve())
  const report = { ...checked, log }
  const at = epochMs(1_060_000)
  const state = { step: 'checked', proof, at, report, heads: [], agreed } as const
  const nothing = () => undefined
  await mount(<Proof order={proof.order} state={state} onRetry={nothing} onDownload={nothing} />)
}
const firstLine = () => one('li button')
const markOf = (line: HTMLElement) => line.querySelector('svg')
const marks = () =>
  [...document.querySelectorAll('li button')].map((line) =>
    line.querySelector('svg')?.getAttribute('aria-label'),
  )

describe('a line of the proof', () => {
  it('is neither passed nor failed if this device has nothing to compare the order with', async () => {
    await show(sampleProof(), null)
    expect(firstLine().textContent).toBe(
      'Order terms not comparedThis device has no record of the order from when it was placed',
    )
    expect(markOf(firstLine())?.getAttribute('aria-label')).toBe('not checked')
    expect(marks().slice(1)).toEqual(Array(8).fill('checked'))
    expect(one('output').textContent).toMatch(/^8 of 9 checked on this device at /)
  })

  it('is passed if this device has compared the order with its record', async () => {
    const proof = sampleProof()
    await show(proof, agreedTermsOf(proof))
    expect(firstLine().textContent).toContain('Order is as you placed it')
    expect(marks()).toEqual(Array(9).fill('checked'))
    expect(one('output').textContent).toMatch(/^Checked on this device at /)
  })

  const logLines: [LogCheck, string, RegExp][] = [
    [logged, 'checked', /^Public logRecorded at .+ as entry 1,204; signed by 2 witnesses$/],
    [
      { ok: true, held: false, why: 'none' },
      'not checked',
      /^Public log not checkedNo entry for this order yet$/,
    ],
    [
      { ok: false, why: 'signature' },
      'doesn’t match',
      /^Public logThe signature of the public log isn’t valid$/,
    ],
  ]
  it.each(logLines)('says what the public log has of the order: %j', async (check, mark, text) => {
    await show(sampleProof(), null, check)
    expect(document.querySelectorAll('li button')[4]?.textContent).toMatch(text)
    expect(marks()[4]).toBe(mark)
  })

  it('is failed if the order differs from the record', async () => {
    const proof = sampleProof()
    await show(proof, { ...agreedTermsOf(proof), seconds: 999 })
    expect(markOf(firstLine())?.getAttribute('aria-label')).toBe('doesn’t match')
    expect(one('output').textContent).toMatch(/^Check failed at /)
  })

  it('says how many ticks of the window an average leaves out', async () => {
    const averaging = { entryDelayMs: 500, exitWindowMs: 10_000, exitCutBp: 2000, exitMinTicks: 5 }
    const { terms } = sampleProof().order
    const proof = sampleProof({ terms: { ...terms, rule: 'R2', ...averaging } })
    const { exit } = proof.order
    if (exit === null || !('ticks' in exit)) throw new Error('no mean')
    await show(proof, agreedTermsOf(proof))
    expect(document.body.textContent).toContain(
      `Average of the middle ${exit.ticks} of ${exit.to - exit.from + 1} ticks, #${exit.from} to #${exit.to}`,
    )
  })
})
