import { createHmac } from "node:crypto";

/**
 * Returns the headers of a delivery. The signature is the HMAC-SHA256, in hexadecimal, of the timestamp (seconds since
 * 1970), a dot, and the body; receivers refuse old timestamps, so that a recorded request cannot be sent again later.
 */
export function signedHeaders(
  { event, eventId, body, secret }: { event: string; eventId: string; body: string; secret: string },
  now = new Date(),
): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000);
  const signature = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  return {
    "Content-Type": "application/json",
    "X-Limn-Event": event,
    "X-Limn-Event-Id": eventId,
    "X-Limn-Signature": `t=${timestamp},v1=${signature}`,
  };
}
