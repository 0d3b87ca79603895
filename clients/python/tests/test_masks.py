"""Run lengths, without a server."""

import unittest

from limn_client.masks import decompress

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]


class Masks(unittest.TestCase):
    def test_reads_compressed_counts_as_pycocotools_writes_them(self) -> None:
        self.assertEqual(decompress("U5"), [165])
        counts = [27349, 6, 44, 6, 42, 6, 44, 5, 44, 5, 47, 1, 2585]
        self.assertEqual(decompress("efj06\\10N02O003LZ_2"), counts)
        self.assertEqual(decompress(b"efj06\\10N02O003LZ_2"), counts)

    @unittest.skipIf(numpy is None, "numpy is not installed")
    def test_restores_masks(self) -> None:
        from limn_client import decode_mask, encode_mask

        random = numpy.random.default_rng(7)
        for shape in [(1, 1), (3, 5), (17, 4)]:
            for share in (0.0, 0.3, 1.0):
                mask = random.random(shape) < share
                rle = encode_mask(mask)
                self.assertEqual(sum(rle["counts"]), mask.size)
                self.assertTrue((decode_mask(rle) == mask).all())


if __name__ == "__main__":
    unittest.main()
