// @vitest-environment happy-dom
import { act, useState } from 'react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { followLateValues } from '../../../src/ui/lateValues.ts'
import { useFields } from '../../../src/features/forms/useFields.ts'
import { mount, one } from './mount.tsx'

let stop: () => void
beforeEach(() => {
  stop = followLateValues()
})
afterEach(() => stop())

function LoginForm() {
  const [sent, setSent] = useState('')
  const fields = useFields(
    { account: '', password: '' },
    {
      account: ({ account }) => (account === '' ? 'Enter your account' : undefined),
      password: ({ password }) => (password === '' ? 'Enter your password' : undefined),
    },
  )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (fields.validate(event.currentTarget)) setSent(JSON.stringify(fields.texts))
      }}
    >
      {(['account', 'password'] as const).map((name) => {
        const { error, ...field } = fields.bind(name)
        return <input key={name} id={name} aria-invalid={error !== undefined} {...field} />
      })}
      <output>{sent}</output>
    </form>
  )
}

/** As a password manager does: the value last, and no event after it. */
const fill = (id: string, text: string): void =>
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(one(id), text)

const submit = () =>
  act(async () => one('form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })))

it('sends what a password manager set last', async () => {
  await mount(<LoginForm />)
  fill('#account', 'lin_wei88')
  fill('#password', 'late value')
  await submit()
  expect(one('output').textContent).toBe('{"account":"lin_wei88","password":"late value"}')
})

it('retains it when a field loses the focus', async () => {
  await mount(<LoginForm />)
  fill('#account', 'lin_wei88')
  fill('#password', 'late value')
  await act(async () => one('#account').dispatchEvent(new FocusEvent('focusout', { bubbles: true })))
  expect((one('#password') as HTMLInputElement).value).toBe('late value')
  await submit()
  expect(one('output').textContent).toBe('{"account":"lin_wei88","password":"late value"}')
})
