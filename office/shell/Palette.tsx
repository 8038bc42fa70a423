import { Dialog } from '@base-ui/react/dialog'
import { useId, useState, useSyncExternalStore, type KeyboardEvent } from 'react'
import { officeRoutes } from '../../contract/office/routes.ts'
import { navigate } from '../../src/router/hashLocation.ts'
import { Icon } from '../../src/ui/Icon.tsx'
import { cx } from '../../src/ui/cx.ts'
import { useBackCloses } from '../../src/ui/dialogs/useBackCloses.ts'
import { useOfficeCall } from '../data/useOfficeCall.ts'
import { useDebounced } from '../data/useDebounced.ts'
import { useTexts } from '../i18n.ts'
import { Keys } from '../keys/Keys.tsx'
import { currentCommands, watchCommands } from '../keys/commands.ts'
import { useMay } from '../state/staff.ts'
import { FailureLine } from '../ui/FailureLine.tsx'
import { hitPath, hitText, statusText } from './hits.ts'
import styles from './Palette.module.css'

/** One field for everything: commands of the screen, and members, orders and requests of the venue. */
export function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  useBackCloses(open, onClose)
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.scrim} />
        <Dialog.Popup className={styles.panel} aria-label={useTexts()('keys.palette')}>
          <Choices onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

type Entry = { id: string; text: string; note?: string; keys?: string; run: () => void }

/** The venue is asked from this length on, of letters or of syllables and words; each search is a row of the act log. */
const searchMin = (text: string): number =>
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.test(text) ? 2 : 3

function Choices({ onClose }: { onClose: () => void }) {
  const t = useTexts()
  const listId = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { entries, failure, isLoading, searches } = useEntries(text)
  const active = entries[Math.min(at, entries.length - 1)]
  const optionId = (entry: Entry): string => `${listId}-${entry.id}`

  const choose = (entry: Entry | undefined): void => {
    if (entry === undefined) return
    onClose()
    entry.run()
  }
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && entries.length > 0) {
      event.preventDefault()
      const next = (at + step + entries.length) % entries.length
      setAt(next)
      const entry = entries[next]
      if (entry) document.getElementById(optionId(entry))?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      choose(active)
    }
  }
  return (
    <>
      <div className={styles.head}>
        <Icon name="magnifying-glass" size={18} />
        <input
          className={styles.input}
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={active && optionId(active)}
          aria-label={t('search.field')}
          placeholder={t('search.field')}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={press}
        />
      </div>
      <FailureLine failure={failure} />
      <div id={listId} role="listbox" aria-label={t('search.results')} className={styles.list}>
        {entries.map((entry) => (
          <Option
            key={entry.id}
            id={optionId(entry)}
            entry={entry}
            isActive={entry === active}
            onChoose={() => choose(entry)}
          />
        ))}
      </div>
      {entries.length === 0 && (
        <p className={styles.none} role="status">
          {isLoading ? t('search.searching') : t('search.none')} {searches && !isLoading && t('search.how')}
        </p>
      )}
    </>
  )
}

type OptionProps = { id: string; entry: Entry; isActive: boolean; onChoose: () => void }

/** The field keeps the focus, so a click must not take it. */
function Option({ id, entry, isActive, onChoose }: OptionProps) {
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={cx(styles.entry, isActive && styles.active)}
      onPointerDown={(event) => {
        event.preventDefault()
        onChoose()
      }}
    >
      <span>{entry.text}</span>
      {entry.note !== undefined && <span className={styles.note}>{entry.note}</span>}
      {entry.keys !== undefined && (
        <span className={styles.keys}>
          <Keys keys={entry.keys} />
        </span>
      )}
    </div>
  )
}

/** What matches a text: what the venue found first, then commands whose name contains it. */
function useEntries(text: string) {
  const t = useTexts()
  const commands = useSyncExternalStore(watchCommands, currentCommands)
  const wanted = text.trim()
  const asked = useDebounced(wanted, 250)
  const isSearch = asked.length >= searchMin(asked) && asked === wanted
  const may = useMay()
  const enabled = may('search.find') && isSearch
  const { data, failure, isLoading } = useOfficeCall(
    officeRoutes.search.find,
    { body: { q: asked } },
    { enabled },
  )
  const hits = enabled ? (data?.items ?? []) : []
  const found: Entry[] = hits.flatMap((hit) => [
    {
      id: `${hit.kind}-${hit.id}`,
      text: hitText(hit),
      note: t('search.hit', {
        kind: t(`search.kind.${hit.kind}`),
        status: statusText(t, hit),
        found: t(`search.found.${hit.by}`),
      }),
      run: () => navigate(hitPath(hit, may)),
    },
    ...hit.waiting.map(({ queue, id, no }) => ({
      id: `waits-${queue}-${id}`,
      text: [t(`queue.${queue}.title`), no, hit.account].filter(Boolean).join(' · '),
      note: t('search.waits'),
      run: () => navigate(`/${queue}/${id}`),
    })),
  ])
  const matching: Entry[] = commands
    .filter(({ label }) => label !== 'keys.palette' && label !== 'keys.search')
    .map(({ label, keys, of, run }) => ({
      id: `command-${keys}-${label}`.replaceAll(/[ .]/g, '-'),
      text: t(label),
      ...(of === 'member' && { note: t('search.ofMember') }),
      ...(keys !== '' && { keys }),
      run,
    }))
    .filter((entry) => entry.text.toLowerCase().includes(wanted.toLowerCase()))
  return { entries: [...found, ...matching], failure, isLoading, searches: may('search.find') }
}
