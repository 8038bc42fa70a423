import type { ReactNode } from 'react'
import { beforeAll } from 'vitest'
import { Router } from 'wouter'
import type { Client } from '../../src/api/client.ts'
import { CallProvider } from '../../src/hooks/useCall.ts'
import { StreamsProvider } from '../../src/hooks/useStreams.ts'
import { hrefTo, useHashPath, useHashSearch } from '../../src/router/hashLocation.ts'
import { changeLanguage, startI18n } from '../../src/text/i18n.ts'
import type { Streams } from '../../streams/index.ts'
import { mount } from '../src/ui/mount.tsx'
import { flushAnswers } from './flushAnswers.ts'
import { streamsSetup } from './streamsSetup.ts'
import { createTestClient, type Answers, type TestAnswer } from './testClient.ts'

// Pages are in English, unless their test changes the language.
beforeAll(async () => {
  await startI18n()
  await changeLanguage('en')
})

type PageOptions = {
  /** The address: `#/pages/news/news`; by default it stays as it is. */
  hash?: string
  /** What the venue answers, by path with its query: `{ '/news?lang=en': [200, { … }] }`; anything else is 404. */
  answers?: Answers | Record<string, TestAnswer>
  /** A client of the venue instead of one with `answers`. */
  call?: Client
  /** The streams, or those parts of them that the page uses; by default those of a venue that is not connected. */
  streams?: object
}

/**
 * Mounts a page of the app, or a part of one, as the app does: with its address, its texts, its streams and a venue that
 * answers what the test says. It is removed after the test. Resolves when the first answers are on the screen. Screens of
 * the office: `openScreen.tsx`.
 */
export async function openPage(
  page: ReactNode,
  { hash, answers = {}, call, streams = streamsSetup().streams }: PageOptions = {},
) {
  if (hash !== undefined) history.replaceState(null, '', hash)
  const client = createTestClient(answers instanceof Map ? answers : new Map(Object.entries(answers)))
  const whole = (shown: ReactNode) => (
    <StreamsProvider value={streams as Streams}>
      <CallProvider value={call ?? client.call}>
        <Router hook={useHashPath} searchHook={useHashSearch} hrefs={hrefTo}>
          {shown}
        </Router>
      </CallProvider>
    </StreamsProvider>
  )
  const { container, render } = await mount(whole(page))
  await flushAnswers()
  return {
    container,
    /** Shows something else in its place; null removes it. */
    render: (next: ReactNode) => render(whole(next)),
    /** What the venue answers from now on. */
    answers: client.answers,
    /** What the page has sent, in order. */
    requests: client.requests,
  }
}
