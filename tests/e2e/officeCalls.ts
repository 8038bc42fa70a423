import type { Page } from '@playwright/test'
import { expect } from './test.ts'

/** The key of the tests' own venue. */
export const deskKey = 'a-desk-key-for-the-browser-tests-alone'
/** Live mode requires that every request names who acts. */
const headers = { authorization: `Bearer ${deskKey}`, 'desk-actor': 'mei' }

/** Sends one back-office request that creates something, and returns what it created. */
export async function postToOffice<T>(page: Page, path: string, data: unknown): Promise<T> {
  const answer = await page.request.post(`/desk${path}`, { data, headers })
  expect(answer.status()).toBe(201)
  return (await answer.json()) as T
}

/** Decides the logged-in member's newest request under review. */
export async function decide(
  page: Page,
  noun: 'deposits' | 'withdrawals' | 'verifications' | 'password-requests',
  verb: 'approve' | 'reject',
  reason?: string,
): Promise<void> {
  const me = (await (await page.request.get('/api/me')).json()) as { id: string }
  const list = await page.request.get(`/desk/${noun}?status=under_review&limit=100`, { headers })
  const { items } = (await list.json()) as { items: { id: string; memberId: string }[] }
  const own = items.find(({ memberId }) => memberId === me.id)
  const answer = await page.request.post(`/desk/${noun}/${own?.id}/${verb}`, {
    headers,
    ...(reason === undefined ? {} : { data: { reason } }),
  })
  expect(answer.ok()).toBe(true)
}

/** Advances the business calendar, which all members share, so only use it on an own venue. */
export async function advance(page: Page, ms: number): Promise<{ businessOn: string }> {
  const answer = await page.request.post('/desk/clock/advance', { data: { ms }, headers })
  expect(answer.ok()).toBe(true)
  return (await answer.json()) as { businessOn: string }
}

/** Puts a product, or the whole site, into maintenance until `opensAt`, or opens it if that is null. */
export async function setMaintenance(
  page: Page,
  what: 'site' | `products/${string}`,
  opensAt: number | null,
): Promise<void> {
  const verb = opensAt === null ? 'open' : 'maintenance'
  const data = opensAt === null ? {} : { data: { opensAt } }
  const answer = await page.request.post(`/desk/${what}/${verb}`, { headers, ...data })
  expect(answer.ok()).toBe(true)
}
