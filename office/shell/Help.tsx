import { useSyncExternalStore } from 'react'
import { Sheet } from '../../src/ui/dialogs/Sheet.tsx'
import { useTexts } from '../i18n.ts'
import { commandGroups, currentCommands, watchCommands } from '../keys/commands.ts'
import { Keys } from '../keys/Keys.tsx'
import { preferences, usePreferences } from '../preferences.ts'
import { Switch } from '../../src/ui/choices/Switch.tsx'
import styles from './Help.module.css'

/** All commands of the screen with their keys, and the switch that turns single keys off. */
export function Help({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTexts()
  const commands = useSyncExternalStore(watchCommands, currentCommands)
  const { singleKeys } = usePreferences()
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
                .filter((command) => command.group === group)
                .map(({ label, keys }) => (
                  <div key={`${keys} ${label}`} className={styles.line}>
                    <dt>{t(label)}</dt>
                    <dd>
                      <Keys keys={keys} />
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Sheet>
  )
}
