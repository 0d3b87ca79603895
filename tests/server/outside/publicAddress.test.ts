import { expect, it } from "vitest";
import { isPublicAddress } from "../../../server/outside/publicAddress";

it("distinguishes public internet addresses from those of the server's own network", () => {
  for (const address of ["1.1.1.1", "93.184.216.34", "172.15.0.1", "172.32.0.1", "2606:2800:220:1::1", "2a00::1"])
    expect(isPublicAddress(address), address).toBe(true);
  for (const address of [
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.255",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "fc00::1",
    "fd12::1",
    "fe80::1",
    "ff02::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "localhost",
    "",
    "2130706433",
  ])
    expect(isPublicAddress(address), address).toBe(false);
});
