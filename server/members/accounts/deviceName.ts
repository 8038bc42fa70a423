const operatingSystems: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad|iPod/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]
/** Order matters: the user agents of the earlier ones also contain the names of the later ones. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/MicroMessenger/, 'WeChat'],
  [/Edg(A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
]

/** A short name for a device: browser and system, empty if neither is known. The full user agent is not stored. */
export function deviceName(userAgent: string | undefined): string {
  const text = userAgent ?? ''
  const find = (table: typeof operatingSystems): string | undefined =>
    table.find(([pattern]) => pattern.test(text))?.[1]
  return [find(browsers), find(operatingSystems)].filter((part) => part !== undefined).join(', ')
}
