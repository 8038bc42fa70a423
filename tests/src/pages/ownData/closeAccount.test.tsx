// @vitest-environment happy-dom
import { act } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { memberRoutes } from '../../../../contract/member.ts'
import type { Client } from '../../../../src/api/client.ts'
import { CloseAccount } from '../../../../src/pages/ownData/CloseAccount.tsx'
import { session } from '../../../../src/state/session.ts'
import type { Failure } from '../../../../streams/index.ts'
import { openPage } from '../../../support/openPage.tsx'
import { streamsSetup } from '../../../support/streamsSetup.ts'
import { click, one, pollScreen } from '../../ui/mount.tsx'

const rejected = (code: string, params: Record<string, unknown> = {}): Failure => ({
  kind: 'rejected',
  status: 409,
  code,
  params,
  fields: {},
  at: 0,
})

describe('closing the account', () => {
  let sent: unknown[]
  let failure: Failure | undefined
  beforeEach(async () => {
    sent = []
    failure = undefined
    session.token = 'token'
    const call = (async (route: object, request: { body?: unknown }) => {
      if (route !== memberRoutes.closeAccount) return { ok: false, failure: { kind: 'offline' } }
      sent.push(request.body)
      return failure ? { ok: false, failure } : { ok: true, value: null, at: 0 }
    }) as unknown as Client
    const { streams } = streamsSetup([])
    await openPage(<CloseAccount />, { streams, call })
    await click(one('button'))
    await pollScreen(() => document.querySelector('input[name="transactionPassword"]')).not.toBeNull()
  })

  const confirm = async (password: string): Promise<void> => {
    const input = one('input[name="transactionPassword"]') as HTMLInputElement
    await act(async () => {
      // Past React, which has replaced the setter of the element itself.
      Reflect.set(HTMLInputElement.prototype, 'value', password, input)
      input.dispatchEvent(new Event('input', { bubbles: true }))
    })
    await click(one('[role="dialog"] button[type="submit"]'))
  }

  it('asks for the transaction password before anything is sent', async () => {
    await confirm('')
    expect(one('[role="dialog"]').textContent).toContain('Empty Value')
    expect(sent).toEqual([])
  })

  it('says how much is left, and the member stays logged in', async () => {
    failure = rejected('BALANCE_LEFT', { available: '1234.50', fund: '0.00' })
    await confirm('482913')
    expect(sent).toEqual([{ transactionPassword: '482913' }])
    await pollScreen(() => one('[role="dialog"]').textContent).toContain('1,234.50 available and 0.00')
    expect(session.token).toBe('token')
  })

  it('shows a wrong password at its field and clears it', async () => {
    failure = rejected('TRANSACTION_PASSWORD_WRONG')
    await confirm('482914')
    await pollScreen(() => (one('input[name="transactionPassword"]') as HTMLInputElement).value).toBe('')
    expect(one('[role="dialog"]').textContent).toContain('password')
  })

  it('leaves for the landing page without a session', async () => {
    await confirm('482913')
    await pollScreen(() => session.token).toBeNull()
    expect(location.hash).toBe('#/')
  })
})
