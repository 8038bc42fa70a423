import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { hrefTo, navigate } from '../../src/router/hashLocation.ts'
import { Icon } from '../../src/ui/Icon.tsx'
import { Logo } from '../../src/ui/Logo.tsx'
import { ToastRegion } from '../../src/ui/ToastRegion.tsx'
import { cx } from '../../src/ui/cx.ts'
import { useTexts } from '../i18n.ts'
import { Keys } from '../keys/Keys.tsx'
import { startKeys } from '../keys/commands.ts'
import { useCommands } from '../keys/useCommands.ts'
import { nav } from '../nav.ts'
import type { NavEntry } from '../nav.ts'
import { preferences } from '../preferences.ts'
import { useMay } from '../state/staff.ts'
import { focusRow } from '../ui/DataTable.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { Help } from './Help.tsx'
import { Palette } from './Palette.tsx'
import styles from './Shell.module.css'

/** The side bar, and what works on every screen: commands, search and help. */
export function Shell({ path, children }: { path: string; children: ReactNode }) {
  const t = useTexts()
  const may = useMay()
  const [panel, setPanel] = useState<'palette' | 'help' | null>(null)
  useEffect(() => startKeys(() => preferences.singleKeys), [])
  const shown = (entry: NavEntry): boolean => entry.calls.some(may)
  const entries = nav.filter(shown)
  useCommands([
    {
      label: 'keys.palette',
      keys: 'mod+k',
      group: 'general',
      run: () => setPanel('palette'),
      inFields: true,
    },
    { label: 'keys.search', keys: '/', group: 'general', run: () => setPanel('palette') },
    { label: 'keys.help', keys: '?', group: 'general', run: () => setPanel('help') },
    { label: 'keys.down', keys: 'j', group: 'list', run: () => focusRow(1) },
    { label: 'keys.up', keys: 'k', group: 'list', run: () => focusRow(-1) },
    ...entries.map((entry) => ({
      label: entry.label,
      keys: `g ${entry.key}`,
      group: 'go' as const,
      run: () => navigate(entry.path),
    })),
  ])
  const close = (): void => setPanel(null)
  return (
    <div className={styles.shell}>
      <nav className={styles.side} aria-label={t('nav.label')}>
        <a className={styles.brand} href={hrefTo('/')}>
          <Logo size={20} />
          <span className={styles.word}>{t('nav.brand')}</span>
        </a>
        <button type="button" className={styles.search} onClick={() => setPanel('palette')}>
          <Icon name="magnifying-glass" size={16} />
          <span className={styles.word}>{t('keys.search')}</span>
          <span className={styles.word}>
            <Keys keys="mod+k" />
          </span>
        </button>
        <div className={styles.entries}>
          <Group title={t('nav.venue')} entries={entries} path={path} />
        </div>
        <AccountMenu onHelp={() => setPanel('help')} />
      </nav>
      <div className={styles.content}>{children}</div>
      <Palette open={panel === 'palette'} onClose={close} />
      <Help open={panel === 'help'} onClose={close} />
      <ToastRegion label={t('nav.notices')} />
    </div>
  )
}

type GroupProps = { title: string; entries: readonly NavEntry[]; path: string }

function Group({ title, entries, path }: GroupProps) {
  const t = useTexts()
  if (entries.length === 0) return null
  return (
    <section className={styles.group}>
      <h2 className={styles.groupTitle}>{title}</h2>
      <ul>
        {entries.map((entry) => {
          const isCurrent = path === entry.path || path.startsWith(`${entry.path}/`)
          return (
            <li key={entry.path}>
              <a
                className={cx(styles.entry, isCurrent && styles.current)}
                href={hrefTo(entry.path)}
                aria-current={isCurrent ? 'page' : undefined}
                title={t(entry.label)}
              >
                <Icon name={entry.icon} size={18} />
                <span className={styles.word}>{t(entry.label)}</span>
              </a>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
