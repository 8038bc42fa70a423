import { Stat, Icon, Logo } from '../../ui/index.ts'
import { iconNames } from '../../ui/iconNames.ts'
import { GallerySample } from './GallerySample.tsx'
import styles from './Gallery.module.css'

const neutrals = ['n0', 'n50', 'n100', 'n200', 'n300', 'n400', 'n500', 'n600', 'n900']
const colours = [
  'accent',
  'accent-tint',
  'up',
  'up-fill',
  'up-tint',
  'down',
  'down-fill',
  'down-tint',
  'warn',
]

/** Colour, type, scripts and icons. */
export function GalleryType() {
  return (
    <>
      <GallerySample title="Colour">
        <div className={styles.swatches}>
          {[...neutrals, ...colours].map((name) => (
            <div key={name} className={styles.swatch} style={{ background: `var(--${name})` }} title={name} />
          ))}
        </div>
      </GallerySample>
      <GallerySample title="Type and scripts">
        <Logo name="Uptick" />
        <div>
          <Stat>1,295.78</Stat>
        </div>
        <div>
          <Stat size={28}>10,240.50</Stat>
        </div>
        <p lang="zh-CN">可用余额 10,240.50，今日盈亏 +142.50</p>
        <p lang="ja">利用可能残高 10,240.50、本日の損益 +142.50</p>
        <p lang="th">ยอดที่ใช้ได้ 10,240.50 กำไรวันนี้ +142.50</p>
        <p lang="de">Verfügbar 10.240,50, Gewinn heute +142,50</p>
      </GallerySample>
      <GallerySample title="Icons">
        <div className={styles.wrap}>
          {iconNames.map((name) => (
            <Icon key={name} name={name} label={name} />
          ))}
        </div>
      </GallerySample>
    </>
  )
}
