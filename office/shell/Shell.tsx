import { useEffect, useRef, useState, type ReactNode } from 'react'
import { hrefTo, navigate } from '../../src/router/hashLocation.ts'
import { Icon } from '../../src/ui/Icon.tsx'
import { Logo } from '../../src/ui/Logo.tsx'
import { ToastRegion } from '../../src/ui/ToastRegion.tsx'
import { VisuallyHidden } from '../../src/ui/VisuallyHidden.tsx'
import { cx } from '../../src/ui/cx.ts'
import { useUndoKey } from '../actions/useUndo.ts'
import { useQueueCounts, type QueueCount } from '../data/useQueueCounts.ts'
import { useTexts } from '../i18n.ts'
import { Keys } from '../keys/Keys.tsx'
import { startKeys } from '../keys/commands.ts'
import { useCommands } from '../keys/useCommands.ts'
import { queueNav, venueNav, type NavEntry } from '../nav.ts'
import { preferences } from '../preferences.ts'
import { lastSearch, searchAgain } from '../state/place.ts'
import { useMay } from '../state/staff.ts'
import { focusRow } from '../ui/DataTable.tsx'
import { AccountMenu } from './AccountMenu.tsx'
import { Help } from './Help.tsx'
import { SiteBanner } from './SiteBanner.tsx'
import { Palette } from './Palette.tsx'
import styles from './Shell.module.css'

/** The side bar with live counts, and what works on every screen: commands, search and help. */
export function Shell({ path, children }: { path: string; children: ReactNode }) {
  const t = useTexts()
  const may = useMay()
  const [panel, setPanel] = useState<'palette' | 'again' | 'help' | null>(null)
  const counts = useQueueCounts()
  useEffect(() => startKeys(() => preferences.singleKeys), [])
  useEffect(() => searchAgain.subscribe(() => setPanel('again')), [])
  useUndoKey()
  const shown = (entry: NavEntry): boolean => entry.calls.some(may)
  const [queues, venue] = [queueNav.filter(shown), venueNav.filter(shown)]
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
    ...[...queues, ...venue].map((entry) => ({
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
          <Group title={t('nav.queues')} entries={queues} path={path} counts={counts} />
          <Group title={t('nav.venue')} entries={venue} path={path} counts={counts} />
        </div>
        <AccountMenu onHelp={() => setPanel('help')} />
      </nav>
      <div className={styles.content}>
        <SiteBanner />
        {children}
      </div>
      <Palette
        open={panel === 'palette' || panel === 'again'}
        typed={panel === 'again' ? lastSearch() : ''}
        onClose={close}
      />
      <Help open={panel === 'help'} onClose={close} />
      <NewWork counts={counts} />
      <ToastRegion label={t('nav.notices')} />
    </div>
  )
}

type GroupProps = { title: string; entries: readonly NavEntry[]; path: string; counts: readonly QueueCount[] }

function Group({ title, entries, path, counts }: GroupProps) {
  const t = useTexts()
  if (entries.length === 0) return null
  return (
    <section className={styles.group}>
      <h2 className={styles.groupTitle}>{title}</h2>
      <ul>
        {entries.map((entry) => {
          const isCurrent = path === entry.path || path.startsWith(`${entry.path}/`)
          const waiting = counts.find(({ queue }) => queue === entry.queue)?.waiting ?? 0
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
                {waiting > 0 && (
                  <span className={styles.count}>
                    {waiting > 999 ? '999+' : waiting}
                    <VisuallyHidden> {t('nav.waiting')}</VisuallyHidden>
                  </span>
                )}
              </a>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** The tab's title counts what waits, and a sound announces more of it, if wanted. */
function NewWork({ counts }: { counts: readonly QueueCount[] }) {
  const t = useTexts()
  const waiting = counts.reduce((sum, count) => sum + count.waiting, 0)
  const before = useRef<number | null>(null)
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) ${t('nav.brand')}` : t('nav.brand')
    if (before.current !== null && waiting > before.current && preferences.sound) beep()
    before.current = waiting
  }, [waiting, t])
  return null
}

/** A short tone of the browser's own, because the policy of the page allows no media file. */
function beep(): void {
  const context = new AudioContext()
  const tone = context.createOscillator()
  const volume = context.createGain()
  volume.gain.value = 0.05
  tone.connect(volume).connect(context.destination)
  tone.start()
  tone.stop(context.currentTime + 0.15)
  tone.addEventListener('ended', () => void context.close())
}
