"""ConsensusTopics inside BERTopic itself: no language model and no download, embeddings are given."""

import os
import warnings
from importlib.util import find_spec

import numpy as np
import pytest
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from consilience.metrics import ari
from consilience.topics import ConsensusTopics

SUBJECTS = (
    "galaxy star orbit telescope planet comet",
    "bread flour oven yeast dough crust",
    "goal referee striker league keeper penalty",
    "court judge appeal statute verdict jury",
)
COMMON = ["today", "often", "people", "small", "large"]


@pytest.fixture(scope="module")
def bertopic():
    """Return the real package; in CI it has to be there."""
    if find_spec("bertopic") is None:
        reason = "bertopic is not installed"
        if os.environ.get("CI"):
            pytest.fail(f"{reason}; CI needs it: make bertopic")
        pytest.skip(f"{reason}; get it with: make bertopic")
    with warnings.catch_warnings():
        # umap says at its import that TensorFlow is missing; nothing here needs it.
        warnings.simplefilter("ignore", ImportWarning)
        import bertopic
    return bertopic


@pytest.fixture(scope="module")
def corpus():
    """Texts of four subjects, 40 each, their embeddings and their subjects."""
    rng = np.random.default_rng(0)
    subjects = np.repeat(np.arange(4), 40)
    texts = [
        " ".join([*rng.choice(SUBJECTS[subject].split(), 12), *rng.choice(COMMON, 4)])
        for subject in subjects
    ]
    reducer = TruncatedSVD(10, random_state=0)
    return texts, reducer.fit_transform(TfidfVectorizer().fit_transform(texts)), subjects


def pipeline(bertopic, **options):
    return bertopic.BERTopic(
        embedding_model=None,
        vectorizer_model=CountVectorizer(),
        hdbscan_model=ConsensusTopics(random_state=0),
        **options,
    )


def test_topics_words_and_new_texts(bertopic, corpus, tmp_path):
    texts, embeddings, subjects = corpus
    model = pipeline(bertopic, umap_model=PCA(5))
    topics, probabilities = model.fit_transform(texts, embeddings)
    assert ari(np.array(topics), subjects) == 1.0
    assert probabilities.tolist() == model.hdbscan_model.probabilities_.tolist()
    for topic in range(4):
        words = {word for word, _ in model.get_topic(topic)[:6]}
        subject = subjects[topics.index(topic)]
        assert words == set(SUBJECTS[subject].split())
    chosen = [0, 50, 90, 130]
    new, _ = model.transform([texts[i] for i in chosen], embeddings[chosen])
    assert new == [topics[i] for i in chosen]
    model.save(tmp_path / "model.pickle", serialization="pickle")
    again = bertopic.BERTopic.load(tmp_path / "model.pickle")
    assert again.transform([texts[0]], embeddings[:1])[0] == [topics[0]]


def test_reduction_inside_and_fewer_topics(bertopic, corpus):
    from bertopic.dimensionality import BaseDimensionalityReduction

    texts, embeddings, _ = corpus
    inside = ConsensusTopics(reducer=TruncatedSVD(5), n_members=8, random_state=0)
    model = bertopic.BERTopic(
        embedding_model=None, umap_model=BaseDimensionalityReduction(), hdbscan_model=inside
    )
    topics, _ = model.fit_transform(texts, embeddings)
    assert len(set(topics)) == 4
    model.reduce_topics(texts, nr_topics=3)
    assert len(set(model.topics_)) == 3


def test_noise_is_the_topic_of_outliers(bertopic, corpus):
    texts, embeddings, _ = corpus
    far = np.random.default_rng(1).normal(size=(5, embeddings.shape[1])) * 20
    model = pipeline(bertopic, umap_model=bertopic.dimensionality.BaseDimensionalityReduction())
    topics, _ = model.fit_transform(texts + ["nothing in common"] * 5, np.vstack([embeddings, far]))
    assert topics[-5:] == [-1] * 5
    assert model.get_topic_info()["Topic"].tolist() == [-1, 0, 1, 2, 3]
