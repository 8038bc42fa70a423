import { lazy } from 'react'
import type { ComponentType } from 'react'
import { queueNames } from '../contract/backOffice/queues.ts'

/** `name` is the first part of the address, `id` the second one. */
export type ScreenProps = { name: string; id: string | null; query: URLSearchParams }

const queue = lazy(() => import('./pages/queues/QueueScreen.tsx').then((m) => ({ default: m.QueueScreen })))

const screens: Readonly<Record<string, ComponentType<ScreenProps>>> = {
  ...Object.fromEntries(queueNames.map((name) => [name, queue])),
  members: lazy(() => import('./pages/members/Members.tsx').then((m) => ({ default: m.Members }))),
  articles: lazy(() => import('./pages/content/Articles.tsx').then((m) => ({ default: m.Articles }))),
  venue: lazy(() => import('./pages/venue/Operation.tsx').then((m) => ({ default: m.Operation }))),
  limits: lazy(() => import('./pages/venue/Limits.tsx').then((m) => ({ default: m.Limits }))),
  codes: lazy(() => import('./pages/venue/Codes.tsx').then((m) => ({ default: m.Codes }))),
  staff: lazy(() => import('./pages/people/StaffScreen.tsx').then((m) => ({ default: m.StaffScreen }))),
  audit: lazy(() => import('./pages/people/Audit.tsx').then((m) => ({ default: m.Audit }))),
  account: lazy(() => import('./pages/login/Account.tsx').then((m) => ({ default: m.Account }))),
}

export const screenOf = (name: string): ComponentType<ScreenProps> | undefined =>
  Object.hasOwn(screens, name) ? screens[name] : undefined
