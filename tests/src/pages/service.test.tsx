// @vitest-environment happy-dom
import { act } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { epochMs } from '../../../contract/units.ts'
import { Composer } from '../../../src/pages/service/Composer.tsx'
import { Conversation } from '../../../src/pages/service/Conversation.tsx'
import { loadMessageDraft, saveMessageDraft } from '../../../src/pages/service/messageDraft.ts'
import type { Failure, ServiceMessage } from '../../../streams/index.ts'
import type { Thread } from '../../../src/pages/service/useThread.ts'
import { openPage } from '../../support/openPage.tsx'
import { click, mount, one } from '../ui/mount.tsx'

const messageOf = (id: string, at = 0): ServiceMessage => ({
  id,
  from: 'member',
  body: id,
  uploadId: null,
  at: epochMs(at),
  read: false,
})
describe('Conversation', () => {
  const thread: Thread = {
    messages: [],
    cursor: null,
    loading: false,
    failure: undefined,
    more: () => undefined,
    retry: () => undefined,
    write: async () => undefined,
  }
  const show = (messages: readonly ServiceMessage[]) =>
    openPage(<Conversation thread={{ ...thread, messages }} />)

  it.each([
    [[], true],
    [[messageOf('a')], false],
  ])(
    'shows the safety warning always, and the introduction only without messages',
    async (messages, hasIntroduction) => {
      await show(messages)
      const text = one('[role=log]').textContent
      expect(text).toContain('We’ll never ask for your password')
      expect(text.includes('Message us here')).toBe(hasIntroduction)
    },
  )
})

describe('message draft', () => {
  beforeEach(() => sessionStorage.clear())

  it('is stored for its member only', () => {
    saveMessageDraft('m1', 'hello')
    expect(loadMessageDraft('m1')).toBe('hello')
    expect(loadMessageDraft('m2')).toBe('')
    expect(loadMessageDraft('m1')).toBe('')
  })

  it('is removed once it is empty, and invalid data is ignored', () => {
    saveMessageDraft('m1', 'hello')
    saveMessageDraft('m1', '')
    expect(sessionStorage.length).toBe(0)
    sessionStorage.setItem('serviceDraft', '{')
    expect(loadMessageDraft('m1')).toBe('')
  })
})

describe('Composer', () => {
  beforeEach(() => sessionStorage.clear())

  const offline: Failure = { kind: 'offline' }
  /** Types into the text area as a browser does. */
  async function type(text: string): Promise<void> {
    const area = one('textarea')
    await act(async () => {
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(area, text)
      area.dispatchEvent(new Event('input', { bubbles: true }))
    })
  }
  const send = (): HTMLElement => one('[aria-label=Send]')

  it('leaves the focus in the field for the next message, as the button goes while one is sent', async () => {
    await mount(<Composer write={async () => undefined} />)
    await type('hello')
    send().focus()
    await click(send())
    expect(document.activeElement).toBe(one('textarea'))
  })

  it('sends the trimmed text and clears the field', async () => {
    const write = vi.fn(async () => undefined)
    await mount(<Composer write={write} />)
    await type('  hello\nthere ')
    await click(send())
    expect(write).toHaveBeenCalledWith('hello\nthere', undefined)
    expect(one('textarea').value).toBe('')
    expect(sessionStorage.length).toBe(0)
  })

  it.each([
    ['Enter', {}, 1],
    ['Shift+Enter', { shiftKey: true }, 0],
    ['the Enter that picks a candidate', { isComposing: true, keyCode: 229 }, 0],
    // Safari ends the composition before it reports the key.
    ['the Enter that picks a candidate in Safari', { isComposing: false, keyCode: 229 }, 0],
  ])('handles with a keyboard %s', async (_what, init, times) => {
    vi.stubGlobal('matchMedia', () => ({ matches: true }))
    const write = vi.fn(async () => undefined)
    await mount(<Composer write={write} />)
    await type('こんにちは')
    await act(async () => {
      one('textarea').dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init }),
      )
    })
    vi.unstubAllGlobals()
    expect(write).toHaveBeenCalledTimes(times)
  })

  it('does not send an empty message', async () => {
    const write = vi.fn(async () => undefined)
    await mount(<Composer write={write} />)
    await type('   ')
    expect(send().getAttribute('aria-disabled')).toBe('true')
    await click(send())
    expect(write).not.toHaveBeenCalled()
  })

  it('retains the text and shows the failure if sending fails', async () => {
    await mount(<Composer write={async () => offline} />)
    await type('hello')
    await click(send())
    expect(one('textarea').value).toBe('hello')
    expect(one('[role=alert]').textContent).toBe(
      'Not sent. You’re offline. Check your connection and try again.',
    )
    expect(sessionStorage.getItem('serviceDraft')).toContain('hello')
  })

  it('sends once for repeated taps', async () => {
    let done = (): void => undefined
    const write = vi.fn(() => new Promise<undefined>((resolve) => (done = () => resolve(undefined))))
    await mount(<Composer write={write} />)
    await type('hello')
    const button = send()
    await act(async () => {
      button.click()
      button.click()
    })
    await act(async () => done())
    expect(write).toHaveBeenCalledOnce()
  })

  it('restores the draft', async () => {
    saveMessageDraft('', 'half a sen')
    await mount(<Composer write={async () => undefined} />)
    expect(one('textarea').value).toBe('half a sen')
  })
})
