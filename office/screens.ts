import { lazy, type ComponentType } from 'react'
import { queueNames } from '../contract/office/queues.ts'
import type { ScreenProps } from './screenProps.ts'

const queue = lazy(() => import('./pages/queues/QueueScreen.tsx').then((m) => ({ default: m.QueueScreen })))

const screens: Readonly<Record<string, ComponentType<ScreenProps>>> = {
  ...Object.fromEntries(queueNames.map((name) => [name, queue])),
  queues: lazy(() => import('./pages/queues/Overview.tsx').then((m) => ({ default: m.Overview }))),
  members: lazy(() => import('./pages/members/Members.tsx').then((m) => ({ default: m.Members }))),
  articles: lazy(() => import('./pages/content/Articles.tsx').then((m) => ({ default: m.Articles }))),
  venue: lazy(() => import('./pages/venue/Operation.tsx').then((m) => ({ default: m.Operation }))),
  limits: lazy(() => import('./pages/venue/VenueLimits.tsx').then((m) => ({ default: m.VenueLimits }))),
  codes: lazy(() => import('./pages/venue/Codes.tsx').then((m) => ({ default: m.Codes }))),
  staff: lazy(() => import('./pages/people/StaffScreen.tsx').then((m) => ({ default: m.StaffScreen }))),
  audit: lazy(() => import('./pages/people/ActLog.tsx').then((m) => ({ default: m.ActLog }))),
  account: lazy(() => import('./pages/login/Account.tsx').then((m) => ({ default: m.Account }))),
}

export const screenOf = (name: string): ComponentType<ScreenProps> | undefined =>
  Object.hasOwn(screens, name) ? screens[name] : undefined
