import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { afterEach, beforeAll, vi } from 'vitest'
import { callsOf } from '../../contract/office/roles.ts'
import type { StaffRole, StaffSession } from '../../contract/office/staff.ts'
import { epochMs } from '../../contract/units.ts'
import { queryClient } from '../../office/data/queryClient.ts'
import { changeLanguage, startI18n } from '../../office/i18n.ts'
import { setSession } from '../../office/state/staff.ts'
import { mount } from '../src/ui/mount.tsx'
import { flushAnswers } from './flushAnswers.ts'
import { createTestFetch, type Answers, type TestAnswer } from './testClient.ts'

// Screens are in English, unless their test changes the language.
beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})
afterEach(() => queryClient.clear())

/** The session of a member of staff named `lin` with the calls of a role. */
export const staffSession = (role: StaffRole, more: Partial<StaffSession> = {}): StaffSession => ({
  staff: {
    id: 's1',
    name: 'lin',
    role,
    status: 'active',
    createdAt: epochMs(0),
    lastSeenAt: null,
    version: 1,
  },
  csrfToken: 'csrf',
  needsSecondFactor: false,
  expiresAt: epochMs(9e12),
  idleMs: 900_000,
  calls: callsOf(role),
  mode: 'live',
  currency: 'USD',
  zone: 'Asia/Shanghai',
  ...more,
})

type ScreenOptions = {
  /** The address: `#/deposits/d1`; by default it stays as it is. */
  hash?: string
  /** What the venue answers, by path below `/desk` with its query; anything else is 404. */
  answers?: Answers | Record<string, TestAnswer>
  /** The role of who is logged in, or the whole session; null: nobody is. */
  as?: StaffRole | StaffSession | null
}

/**
 * Mounts a screen of the office, or a part of one, as the office does: with its address, its texts, who is logged in and a
 * venue that answers what the test says. It is removed after the test. Resolves when the first answers are on the screen.
 */
export async function openScreen(
  screen: ReactNode,
  { hash, answers = {}, as = 'admin' }: ScreenOptions = {},
) {
  if (hash !== undefined) history.replaceState(null, '', hash)
  setSession(typeof as === 'string' ? staffSession(as) : as)
  const client = createTestFetch('/desk', answers instanceof Map ? answers : new Map(Object.entries(answers)))
  vi.stubGlobal('fetch', client.fetch)
  const whole = (shown: ReactNode) => <QueryClientProvider client={queryClient}>{shown}</QueryClientProvider>
  const { container, render } = await mount(whole(screen))
  await flushAnswers()
  return {
    container,
    /** Shows something else in its place; null removes it. */
    render: (next: ReactNode) => render(whole(next)),
    /** What the venue answers from now on. */
    answers: client.answers,
    /** What the screen has sent, in order. */
    requests: client.requests,
  }
}
