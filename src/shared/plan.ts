/** True if the plan says that it lacks a feature. A host that does not name a feature may have it. */
export function planLacks(
  { plan }: { plan?: { features: Record<string, unknown> } | undefined },
  feature: string,
): boolean {
  const told = plan?.features[feature]
  return told === false || told === 0 || told === null
}
