import { randomUUID } from 'node:crypto'
import { request, type APIRequestContext, type APIResponse } from '@playwright/test'
import { newMember, type Member } from '../e2e/member.ts'
import type { LoginAnswer } from '../../contract/auth.ts'
import type { User } from '../../contract/member.ts'

export const openingCode = 'UPTICK'

/** A member's client without a browser, with the office beside it. */
export type ApiClient = {
  readonly member: Member
  readonly token: string
  readonly user: User
  get<T>(path: string): Promise<T>
  /** A member's request that writes. Each has an idempotency key; routes that need none ignore it. */
  send<T>(method: 'POST' | 'PUT' | 'PATCH', path: string, data: unknown): Promise<T>
  upload(purpose: string, photo: Buffer): Promise<string>
  office<T>(method: 'GET' | 'POST', path: string, data?: unknown): Promise<T>
  cookies(): Promise<Awaited<ReturnType<APIRequestContext['storageState']>>['cookies']>
  close(): Promise<void>
}

/** Opens an account and logs in. */
export async function openApiClient(origin: string, deskKey: string): Promise<ApiClient> {
  const context = await request.newContext({ baseURL: origin })
  const member = newMember()
  const { account, phone, password, transactionPassword } = member
  const { registerToken } = await answerOf<{ registerToken: string }>(
    context.post('/api/auth/register/check', { data: { account, phone, openingCode } }),
  )
  await answerOf(
    context.post('/api/auth/register', {
      data: {
        registerToken,
        password,
        confirmPassword: password,
        transactionPassword,
        confirmTransactionPassword: transactionPassword,
      },
    }),
  )
  const { token, user } = await answerOf<LoginAnswer>(
    context.post('/api/auth/login', { data: { account, password } }),
  )
  const headers = { 'X-CSRF-Token': token }
  return {
    member,
    token,
    user,
    get: (path) => answerOf(context.get(`/api${path}`)),
    send: (method, path, data) =>
      answerOf(
        context.fetch(`/api${path}`, {
          method,
          data,
          headers: { ...headers, 'Idempotency-Key': randomUUID() },
        }),
      ),
    upload: async (purpose, buffer) => {
      const file = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer }
      const response = context.post('/api/uploads', { headers, multipart: { purpose, file } })
      return (await answerOf<{ uploadId: string }>(response)).uploadId
    },
    office: (method, path, data) =>
      answerOf(
        context.fetch(`/desk${path}`, {
          method,
          headers: { authorization: `Bearer ${deskKey}` },
          ...(data === undefined ? {} : { data }),
        }),
      ),
    cookies: async () => (await context.storageState()).cookies,
    close: () => context.dispose(),
  }
}

async function answerOf<T>(response: Promise<APIResponse>): Promise<T> {
  const answer = await response
  if (!answer.ok()) throw new Error(`${answer.url()} answered ${answer.status()}: ${await answer.text()}`)
  return (await answer.json().catch(() => undefined)) as T
}
