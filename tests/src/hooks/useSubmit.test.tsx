// @vitest-environment happy-dom
import { act, useEffect } from 'react'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { useFields } from '../../../src/features/forms/useFields.ts'
import { useSubmit, type SubmitProblem } from '../../../src/hooks/useSubmit.ts'
import { changeLanguage, startI18n } from '../../../src/text/i18n.ts'
import type { Failure } from '../../../streams/index.ts'
import en from '../../../locales/en.json' with { type: 'json' }
import { mount, one } from '../ui/mount.tsx'

const offline: Failure = { kind: 'offline' }
const rejected = (fields: Record<string, string>): Failure => ({
  kind: 'rejected',
  status: 400,
  code: 'VALIDATION',
  params: {},
  fields,
  at: 0,
})

let form: { send: (text: string) => void; busy: boolean; problem: string | undefined; clear: () => void }
let sent: { text: string; answer: (problem?: SubmitProblem) => void }[] = []

function Probe() {
  const [send, busy, problem, setProblem] = useSubmit(
    (text: string) => new Promise<SubmitProblem>((answer) => sent.push({ text, answer })),
  )
  useEffect(() => {
    form = { send, busy, problem, clear: () => setProblem(undefined) }
  })
  return null
}

beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})
beforeEach(() => {
  sent = []
})
const send = (text: string) => act(async () => form.send(text))
const answer = (problem?: SubmitProblem) => act(async () => sent.at(-1)?.answer(problem))

it('sends once for a double tap, and again after the answer', async () => {
  await mount(<Probe />)
  await send('first')
  await send('second')
  expect([form.busy, sent.map(({ text }) => text)]).toEqual([true, ['first']])
  await answer()
  expect([form.busy, form.problem]).toEqual([false, undefined])
  await send('third')
  expect(sent.map(({ text }) => text)).toEqual(['first', 'third'])
})

it('shows why it failed until the next attempt begins', async () => {
  await mount(<Probe />)
  await send('a')
  await answer(offline)
  expect([form.problem, form.busy]).toEqual([en.error.OFFLINE, false])
  await send('b')
  expect([form.problem, form.busy]).toEqual([undefined, true])
  await answer('Not today.')
  expect(form.problem).toBe('Not today.')
  await act(async () => form.clear())
  expect(form.problem).toBe(undefined)
})

function Fields({ failure }: { failure: Failure }) {
  const fields = useFields({ account: '' }, { account: () => undefined })
  const [submit, , problem] = useSubmit(async (element: HTMLFormElement) =>
    fields.showFailure(element, failure),
  )
  const { error, ...bound } = fields.bind('account')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit(event.currentTarget)
      }}
    >
      <input {...bound} />
      <button type="submit">{[error, problem].join('|')}</button>
    </form>
  )
}

it('shows at its field what concerns a field, and above the button what does not', async () => {
  const shownFor = async (failure: Failure): Promise<string | null> => {
    await mount(<Fields key={failure.kind} failure={failure} />)
    await act(async () => [...document.querySelectorAll('button')].at(-1)?.click())
    return [...document.querySelectorAll('button')].at(-1)?.textContent ?? null
  }
  expect(await shownFor(rejected({ account: 'EMPTY' }))).toBe(`${en.error.EMPTY}|`)
  expect(document.activeElement).toBe(one('input'))
  expect(await shownFor(offline)).toBe(`|${en.error.OFFLINE}`)
})
