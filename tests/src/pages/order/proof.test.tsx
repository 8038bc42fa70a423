// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from 'vitest'
import { epochMs } from '../../../../contract/units.ts'
import { changeLanguage, startI18n } from '../../../../src/text/i18n.ts'
import { Proof } from '../../../../src/pages/order/proof/Proof.tsx'
import { checkProof } from '../../../../src/proof/check.ts'
import type { LogCheck } from '../../../../src/proof/log.ts'
import type { CompleteProof } from '../../../../src/proof/completeProof.ts'
import type { AgreedTerms } from '../../../../src/state/agreedTerms.ts'
import { logKeys } from '../../../support/sampleLog.ts'
import { signedProof } from '../../../support/sampleReceipt.ts'
import { sampleProof } from '../../../support/sampleProof.ts'
import { click, mount, one } from '../../ui/mount.tsx'

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

const keys = [{ key: logKeys.logKey, from: 'device' as const }]

/** Shows a proof, checked against the terms that this device has stored. */
async function show(proof: CompleteProof, agreed: AgreedTerms | null, log: LogCheck = logged) {
  const checked = await checkProof(proof, { agreed, heads: [], receipt: { keys } }, () => Promise.resolve())
  const report = { ...checked, log }
  const at = epochMs(1_060_000)
  const state = { step: 'checked', proof, at, report, heads: [], agreed, receipt: null } as const
  const nothing = () => undefined
  await mount(<Proof order={proof.order} state={state} onRetry={nothing} onDownload={nothing} />)
}
const fold = () =>
  [...document.querySelectorAll<HTMLElement>('button[aria-controls]')].find(
    (button) => button.closest('li') === null,
  )
/** The same with every line, which one tap opens unless a check has failed. */
async function showLines(...shown: Parameters<typeof show>) {
  await show(...shown)
  const button = fold()
  if (button) await click(button)
}
const firstLine = () => one('li button')
const markOf = (line: HTMLElement) => line.querySelector('svg')
const marks = () =>
  [...document.querySelectorAll('li button')].map((line) =>
    line.querySelector('svg')?.getAttribute('aria-label'),
  )

describe('the checks', () => {
  it('are one line if all have passed', async () => {
    const proof = signedProof()
    await show(proof, agreedTermsOf(proof))
    expect(fold()?.textContent).toBe('All 10 checks passed')
    expect(marks()).toEqual([])
  })

  it('say how many have passed if there is nothing to compare others with', async () => {
    await show(sampleProof(), null)
    expect(fold()?.textContent).toBe('8 checks passed, 2 have nothing to compare with')
  })

  it('are open if one has failed, which stands first', async () => {
    await show(sampleProof(), null, { ok: false, why: 'signature' })
    expect(fold()).toBeUndefined()
    expect(firstLine().textContent).toContain('Public log')
    expect(marks()).toHaveLength(10)
  })
})

describe('a line of the proof', () => {
  it('is neither passed nor failed if this device has nothing to compare the order with', async () => {
    await showLines(sampleProof(), null)
    expect(firstLine().textContent).toBe(
      'Order terms not comparedThis device has no record of the order from when it was placed',
    )
    expect(markOf(firstLine())?.getAttribute('aria-label')).toBe('not checked')
    expect(marks().slice(1)).toEqual(['not checked', ...Array(8).fill('checked')])
    expect(one('output').textContent).toMatch(/^8 of 10 checked on this device at /)
  })

  it('is passed if this device has compared the order with its record', async () => {
    const proof = signedProof()
    await showLines(proof, agreedTermsOf(proof))
    expect(firstLine().textContent).toContain('Order is as you placed it')
    expect(marks()).toEqual(Array(10).fill('checked'))
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
    await showLines(sampleProof(), null, check)
    // A failed check stands first.
    const index = check.ok ? 5 : 0
    expect(document.querySelectorAll('li button')[index]?.textContent).toMatch(text)
    expect(marks()[index]).toBe(mark)
  })

  it('is failed if the order differs from the record', async () => {
    const proof = sampleProof()
    await showLines(proof, { ...agreedTermsOf(proof), seconds: 999 })
    expect(markOf(firstLine())?.getAttribute('aria-label')).toBe('doesn’t match')
    expect(one('output').textContent).toMatch(/^Check failed at /)
  })

  it('says how many ticks of the window an average leaves out', async () => {
    const averaging = { entryDelayMs: 500, exitWindowMs: 10_000, exitCutBp: 2000, exitMinTicks: 5 }
    const { terms } = sampleProof().order
    const proof = sampleProof({ terms: { ...terms, rule: 'R2', ...averaging } })
    const { exit } = proof.order
    if (exit === null || !('ticks' in exit)) throw new Error('no mean')
    await showLines(proof, agreedTermsOf(proof))
    expect(document.body.textContent).toContain(
      `Average of the middle ${exit.ticks} of ${exit.to - exit.from + 1} ticks, #${exit.from} to #${exit.to}`,
    )
  })
})
