import { queueNames, type QueueName } from '../contract/office/queues.ts'
import { decidingCalls } from '../contract/office/roles.ts'
import type { IconName } from '../src/ui/iconNames.ts'
import type { TextKey } from './i18n.ts'

export type NavEntry = {
  path: string
  icon: IconName
  label: TextKey
  /** The second of the two keys `g …` that open it. */
  key: string
  /** Shown if the role may make any of these calls. */
  calls: readonly string[]
  queue?: QueueName
}

/** Shown to those who work on it: others may read the requests of a member, but not what waits. */
const queue = (name: QueueName, icon: IconName, key: string): NavEntry => ({
  path: `/${name}`,
  icon,
  label: `queue.${name}.title`,
  key,
  calls: [decidingCalls[name]],
  queue: name,
})

export const queueNav: readonly NavEntry[] = [
  queue('deposits', 'arrow-down-left', 'd'),
  queue('withdrawals', 'arrow-up-right', 'w'),
  queue('payments', 'bank', 'p'),
  queue('verifications', 'identification-card', 'v'),
  queue('password-requests', 'lock-simple', 'l'),
  queue('service', 'chat-circle-text', 's'),
  queue('proposals', 'seal-check', 'o'),
  // Of approvals alone their own list says as much.
  {
    path: '/queues',
    icon: 'table',
    label: 'nav.overview',
    key: 'q',
    calls: queueNames.filter((name) => name !== 'proposals').map((name) => decidingCalls[name]),
  },
]

export const venueNav: readonly NavEntry[] = [
  { path: '/members', icon: 'user', label: 'nav.members', key: 'm', calls: ['members.list'] },
  {
    path: '/articles',
    icon: 'newspaper',
    label: 'nav.articles',
    key: 'n',
    calls: ['news.publish', 'highlights.publish', 'pages.publish'],
  },
  { path: '/venue', icon: 'wrench', label: 'nav.operation', key: 't', calls: ['site.show'] },
  { path: '/limits', icon: 'sliders-horizontal', label: 'nav.limits', key: 'i', calls: ['limits.show'] },
  { path: '/codes', icon: 'ticket', label: 'nav.codes', key: 'c', calls: ['codes.list'] },
  { path: '/staff', icon: 'headset', label: 'nav.staff', key: 'f', calls: ['staff.list'] },
  { path: '/audit', icon: 'list-bullets', label: 'nav.audit', key: 'a', calls: ['audit.list'] },
]

export const allNav = [...queueNav, ...venueNav]
