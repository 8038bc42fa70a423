import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { askForNotifications, notificationAccess } from '../../features/orders/hiddenResults.ts'
import { useAction } from '../../hooks/useAction.ts'
import { preferences, usePreferences } from '../../state/preferences.ts'
import { ListRow, Switch } from '../../ui/index.ts'

/** Whether the browser notifies of results while the tab is hidden; it is asked for permission by this switch only. */
export function HiddenResultsRow() {
  const { t } = useTranslation()
  const { hiddenResults } = usePreferences()
  const [access, setAccess] = useState(notificationAccess)
  const [turn] = useAction(async (isOn: boolean) => {
    const allowed = isOn ? await askForNotifications(t('settings.hiddenResultsFirst')) : notificationAccess()
    setAccess(allowed)
    preferences.hiddenResults = isOn && allowed === 'allowed'
  })
  const isOff = access !== 'allowed' && access !== 'notAsked'
  const label = t('settings.hiddenResults')
  return (
    <ListRow
      label={label}
      caption={t(isOff ? `settings.hiddenResultsAt.${access}` : 'settings.hiddenResultsText')}
      end={
        <Switch
          label={label}
          checked={hiddenResults && access === 'allowed'}
          disabled={isOff}
          onChange={turn}
        />
      }
    />
  )
}
