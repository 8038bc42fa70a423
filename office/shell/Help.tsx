import { useSyncExternalStore } from 'react'
import { Sheet } from '../../src/ui/dialogs/Sheet.tsx'
import { useTexts, type TextKey } from '../i18n.ts'
import { commandGroups, currentCommands, watchCommands } from '../keys/commands.ts'
import { Keys } from '../keys/Keys.tsx'
import { useMay } from '../state/staff.ts'
import { preferences, usePreferences } from '../preferences.ts'
import { Switch } from '../../src/ui/choices/Switch.tsx'
import styles from './Help.module.css'

/** All commands of the screen with their keys, and the switch that turns single keys off. */
export function Help({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTexts()
  const commands = useSyncExternalStore(watchCommands, currentCommands)
  const { singleKeys } = usePreferences()
  const may = useMay()
  const isClerk = may('queues.next')
  // A request that is open lists its keys itself.
  const isOpen = commands.some(({ group, label }) => group === 'request' && label === 'keys.scrollDown')
  return (
    <Sheet open={open} onClose={onClose} title={t('keys.help')} closeLabel={t('action.close')} wide>
      <div className={styles.single}>
        <span aria-hidden="true">{t('keys.single')}</span>
        <Switch
          label={t('keys.single')}
          checked={singleKeys}
          onChange={(checked) => {
            preferences.singleKeys = checked
          }}
        />
      </div>
      <div className={styles.groups}>
        {commandGroups.map((group) => (
          <section key={group} className={styles.group}>
            <h3 className={styles.title}>{t(`keys.group.${group}`)}</h3>
            <dl className={styles.list}>
              {commands
                .filter((command) => command.group === group && command.keys !== '')
                .map(({ label, keys }) => (
                  <div key={`${keys} ${label}`} className={styles.line}>
                    <dt>{t(label)}</dt>
                    <dd>
                      <Keys keys={keys} />
                    </dd>
                  </div>
                ))}
              {group === 'list' && listKeys.map((line) => <Line key={line.label} {...line} />)}
            </dl>
          </section>
        ))}
        {isClerk && !isOpen && (
          <section className={styles.group}>
            <h3 className={styles.title}>{t('keys.inRequest')}</h3>
            <dl className={styles.list}>
              {requestKeys.map((line) => (
                <Line key={line.label} {...line} />
              ))}
            </dl>
          </section>
        )}
      </div>
    </Sheet>
  )
}

type Named = { label: TextKey; keys: string }

/** What a list does by itself, and the keys of a request, which are commands only while one is open. */
const listKeys: readonly Named[] = [
  { label: 'keys.arrows', keys: 'ArrowUp ArrowDown' },
  { label: 'keys.open', keys: 'Enter' },
]
const requestKeys: readonly Named[] = [
  { label: 'keys.scrollDown', keys: 'PageDown' },
  { label: 'keys.decide', keys: 'a' },
  { label: 'keys.reject', keys: 'r' },
  { label: 'keys.claim', keys: 'c' },
  { label: 'keys.release', keys: 'l' },
  { label: 'claim.aside', keys: 's' },
  { label: 'keys.member', keys: 'm' },
  { label: 'keys.leave', keys: 'Escape' },
]

function Line({ label, keys }: Named) {
  const t = useTexts()
  return (
    <div className={styles.line}>
      <dt>{t(label)}</dt>
      <dd>
        <Keys keys={keys} />
      </dd>
    </div>
  )
}
