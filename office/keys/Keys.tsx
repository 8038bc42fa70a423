import { Fragment } from 'react'

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
const shown: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  Enter: '↵',
  Escape: 'Esc',
  PageDown: 'PgDn',
  PageUp: 'PgUp',
  'mod+k': isMac ? '⌘K' : 'Ctrl K',
  'mod+/': isMac ? '⌘/' : 'Ctrl /',
  'mod+Enter': isMac ? '⌘↵' : 'Ctrl ↵',
}

/** The keys of a command, as caps. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span aria-hidden="true">
      {keys.split(' ').map((key, at) => (
        <Fragment key={key}>
          {at > 0 && ' '}
          <kbd>{shown[key] ?? key.toUpperCase()}</kbd>
        </Fragment>
      ))}
    </span>
  )
}
