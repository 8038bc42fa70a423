// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { minor } from '../../../contract/units.ts'
import { endOneTap, setOneTap, useOneTapMax } from '../../../src/state/oneTap.ts'
import { session } from '../../../src/state/session.ts'
import { act } from 'react'
import { mount } from '../ui/mount.tsx'

afterEach(() => {
  endOneTap()
  session.userInfo = null
})

it('is only the member’s who turned it on', async () => {
  const seen: unknown[] = []
  const Reads = () => {
    seen.push(useOneTapMax())
    return null
  }
  const user = (id: string) => ({ id }) as typeof session.userInfo
  session.userInfo = user('a')
  await mount(<Reads />)
  expect(seen.at(-1)).toBeUndefined()
  await act(async () => setOneTap('a', minor(5_000)))
  expect(seen.at(-1)).toBe(5_000)
  await act(async () => {
    session.userInfo = user('b')
  })
  expect(seen.at(-1)).toBeUndefined()
  await act(async () => {
    session.userInfo = user('a')
  })
  expect(seen.at(-1)).toBe(5_000)
  await act(async () => endOneTap())
  expect(seen.at(-1)).toBeUndefined()
})
